package devnet

import "context"

// StartOn starts a temporary chain without first checking that the port is free. It reproduces what
// Start does if another process binds the port after the check.
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
