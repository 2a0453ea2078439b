package market

// LastIDs are the highest ids that the contracts have given out; both count
// from 1 without gaps.
type LastIDs struct {
	Task        uint64
	Application uint64
}

// Count adds the ids that the deployment's logs open.
func (l LastIDs) Count(logs []Log, d Deployment) LastIDs {
	for _, log := range logs {
		switch {
		case log.Address == d.Escrow && log.Event.Kind == EventTaskPosted:
			l.Task++
		case log.Address == d.Staking && log.Event.Kind == EventStakeLocked:
			l.Application++
		}
	}
	return l
}
