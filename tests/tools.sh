#!/bin/sh
# What the tests need from the system: a Chromium to drive, and the PostgreSQL server's programs.
# Installs what is missing by apt where it may; says what to install where it may not.
set -eu

found() { for name in "$@"; do command -v "$name" >/dev/null 2>&1 && return 0; done; return 1; }

# A Chromium without windows starts and draws for half the price; where a system has none, the whole one does.
browser=chromium-headless-shell

missing=""
if [ -z "${CHROMIUM:-}" ] && ! found chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; then
  missing="$browser fonts-dejavu-core"
fi
if ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && ! found initdb; then
  missing="$missing postgresql"
fi
[ -n "$missing" ] || exit 0

if ! found apt-get; then
  echo "The tests need Chromium and the PostgreSQL server on this machine; missing (by their Debian names): $missing" >&2
  echo "Install them with the system's package manager, then run the tests again." >&2
  exit 1
elif [ "$(id -u)" -eq 0 ]; then
  as_root=""
elif found sudo && sudo -n true 2>/dev/null; then
  as_root="sudo"
else
  echo "The tests need some programs that only an administrator can install. Run this, then the tests again:" >&2
  echo "  sudo apt-get install $missing" >&2
  exit 1
fi

echo "Installing what the tests need from the system:" $missing
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The tests start servers of their own: a PostgreSQL server that starts with the system is not wanted.
case "$missing" in *postgresql*)
  if ! [ -e /etc/postgresql-common/createcluster.conf ]; then
    $as_root mkdir -p /etc/postgresql-common
    echo "create_main_cluster = false" | $as_root tee /etc/postgresql-common/createcluster.conf >/dev/null
  fi
esac
install() {
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get update || return 1
  apt-cache show $browser >/dev/null 2>&1 || missing=$(echo "$missing" | sed "s/$browser/chromium/")
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends $missing
}
if ! install >"$log" 2>&1 </dev/null; then
  cat "$log" >&2
  echo "The installation failed. The tests need: $missing" >&2
  exit 1
fi
