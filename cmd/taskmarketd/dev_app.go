package main

import (
	"net/http"
	"strings"
)

// faucetPath is where the web app of a development world asks for funds: on its
// own origin, because its policy lets it talk to no other server.
const faucetPath = "/dev/faucet"

// withFaucet serves the faucet beside the service, to pages of this world: any
// site that is open in the browser could ask, too.
func (d *dev) withFaucet(service http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST "+faucetPath+"/{wallet}", d.faucet)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, faucetPath+"/") && r.Header.Get("Origin") == d.origin(d.world.Ports.API) {
			mux.ServeHTTP(w, r)
			return
		}
		service.ServeHTTP(w, r)
	})
}
