package client

import "context"

// kept returns the flow of the key, or the one that an older program has kept for
// the request under another name.
func (r *creation) kept(ctx context.Context, key string) (*Flow, error) {
	flow, err := r.flows.Load(ctx, key)
	if err != nil || flow.started() {
		return flow, err
	}
	old, err := r.outdated(ctx)
	if old != nil || err != nil {
		return old, err
	}
	return flow, nil
}

// started reports whether there is a flow and somebody may have paid in it.
func (f *Flow) started() bool {
	return f != nil && (f.Done || f.Paid != nil || len(f.Transactions) > 0)
}

// outdated returns the flow that an older program has kept for the request under
// the bare key of its caller, nil when there is none.
func (r *creation) outdated(ctx context.Context) (*Flow, error) {
	name := r.request.Key
	if name == "" {
		return nil, nil
	}
	flow, err := r.flows.Load(ctx, name)
	if err != nil || flow == nil || flow.Task == nil || flow.Task.Key != name {
		return nil, err
	}
	return flow, nil
}

// adopt moves the flow of an older program to the name of today: what was signed
// in it goes on, and is not paid for once more. Beside one that was signed under
// the new name it is dropped: only one of the two may ever be sent.
func (r *creation) adopt(ctx context.Context, key string) error {
	if flow, err := r.outdated(ctx); flow == nil || err != nil {
		return err
	}
	unlock, err := r.flows.Lock(ctx, r.request.Key) // the older program may still be at it
	if err != nil {
		return err
	}
	defer unlock()
	flow, err := r.outdated(ctx)
	if flow == nil || err != nil {
		return err
	}
	now, err := r.flows.Load(ctx, key)
	if err != nil {
		return err
	}
	if !now.started() {
		flow.Key = key
		if err := r.flows.Save(ctx, flow); err != nil {
			return err
		}
	}
	return r.flows.Remove(ctx, r.request.Key)
}
