package devnet

import "context"

// StartOn starts a temporary chain without checking first that the port is free, like Start if
// another process binds the port in between.
func StartOn(ctx context.Context, dir string, port int) (*Node, error) {
	binary, err := Program("anvil")
	if err != nil {
		return nil, err
	}
	o := Options{Dir: dir}
	if _, err := o.complete(); err != nil {
		return nil, err
	}
	return startOn(ctx, binary, port, o)
}
