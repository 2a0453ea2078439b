#!/bin/sh
# Puts promtool into the folder. Usage: fetch.sh FOLDER
#
# On Debian 12, the script extracts promtool from a package, which takes seconds. Elsewhere, it builds
# promtool from the pinned Go module beside this file, which takes minutes.
set -eu
tools=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"

package=prometheus
version=2.42.0+ds-5+deb12u1
case $(uname -m) in
	x86_64) sum=81d59a24fce84f7fbe97a45a4f2914b6a5881b5cd1db2a6a0e129e515e1a5f55 ;;
	*) sum= ;;
esac

# apt-get download does not need root, but it needs package lists, which only root can update.
download() {
	apt-get download -qq -o APT::Sandbox::User=root "$package=$version" && return
	[ "$(id -u)" = 0 ] && apt-get update -qq && apt-get download -qq -o APT::Sandbox::User=root "$package=$version"
}

from_debian() {
	[ -n "$sum" ] && command -v apt-get && command -v dpkg-deb && download || return
	printf '%s  %s\n' "$sum" "$package"_*.deb | sha256sum -c && dpkg-deb -x "$package"_*.deb package &&
		mv package/usr/bin/promtool promtool && ./promtool --version
}

rm -rf promtool package "$package"_*.deb
if ! from_debian >fetch.log 2>&1; then
	echo "promtool: the package of Debian 12 cannot be used here (see $PWD/fetch.log); building it from tools/prometheus/go.mod, which takes minutes" >&2
	(cd "$tools" && go build -tags remove_all_sd -o "$OLDPWD/promtool" github.com/prometheus/prometheus/cmd/promtool)
	./promtool --version
fi
rm -rf package "$package"_*.deb
