package main

import (
	"net/http"
	"strings"
)

// faucetPath is the path of the development faucet for the web app. The path is on the web app's
// own origin, because the content security policy allows no other server.
const faucetPath = "/dev/faucet"

// withFaucet adds the faucet to the service's handler. The faucet accepts only same-origin requests, so
// that other sites in the same browser cannot use it.
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
