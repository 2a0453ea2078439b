#!/bin/sh
# Downloads PgBouncer, HAProxy and ClamAV from Debian 12 with the libraries that a minimal installation lacks,
# without installing them. Usage: fetch.sh FOLDER
#
# packages.txt lists each package with its version and SHA-256. A version that Debian has replaced
# can no longer be downloaded: enter the version and the sum that `apt-cache show` prints.
set -eu
list=$(cd "$(dirname "$0")" && pwd)/packages.txt
[ "$(uname -sm)" = "Linux x86_64" ] || { echo "fetch.sh: the packages are for Debian 12 on x86_64" >&2; exit 1; }
mkdir -p "$1"
cd "$1"

# apt-get download does not need root, but it needs package lists, which only root can update.
download() {
	apt-get download -qq -o APT::Sandbox::User=root "$1" && return
	[ "$(id -u)" = 0 ] && apt-get update -qq && apt-get download -qq -o APT::Sandbox::User=root "$1"
}

rm -rf ./*.deb usr
grep -v '^#' "$list" | while read -r package version sum; do
	download "$package=$version"
	printf '%s  %s\n' "$sum" "$package"_*.deb | sha256sum -c --quiet
	dpkg-deb -x "$package"_*.deb .
done
rm -f ./*.deb
LD_LIBRARY_PATH=$PWD/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH
usr/sbin/pgbouncer --version
usr/sbin/haproxy -v
usr/sbin/clamd --config-file=/dev/null --version # requires a configuration file
