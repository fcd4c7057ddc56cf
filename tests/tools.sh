#!/bin/sh
# System packages for the tests: Chromium, the PostgreSQL server's programs, and two proxies.
# Installs missing packages with apt if allowed; otherwise says what to install.
set -eu

found() { for name in "$@"; do command -v "$name" >/dev/null 2>&1 && return 0; done; return 1; }

# The headless Chromium starts and draws at half the cost; without it, the full one is used.
browser=chromium-headless-shell

missing=""
if [ -z "${CHROMIUM:-}" ] && ! found chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; then
  missing="$browser fonts-dejavu-core"
fi
if ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && ! found initdb; then
  missing="$missing postgresql"
fi
PATH="$PATH:/usr/sbin"
found nginx || missing="$missing nginx-light"
found caddy || missing="$missing caddy"
[ -n "$missing" ] || exit 0

if ! found apt-get; then
  echo "The tests need Chromium, the PostgreSQL server, nginx and Caddy; missing (by their Debian names): $missing" >&2
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
policy=""
trap 'rm -f "$log"; [ -z "$policy" ] || $as_root rm -f "$policy"' EXIT
# The tests start their own servers: no system service must be started, now or later.
case "$missing" in *postgresql*)
  if ! [ -e /etc/postgresql-common/createcluster.conf ]; then
    $as_root mkdir -p /etc/postgresql-common
    echo "create_main_cluster = false" | $as_root tee /etc/postgresql-common/createcluster.conf >/dev/null
  fi
esac
case "$missing" in *nginx*|*caddy*)
  if ! [ -e /usr/sbin/policy-rc.d ]; then
    policy=/usr/sbin/policy-rc.d
    printf '#!/bin/sh\nexit 101\n' | $as_root tee $policy >/dev/null
    $as_root chmod 755 $policy
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
case "$missing" in *nginx*|*caddy*)
  if found systemctl; then $as_root systemctl disable nginx caddy >/dev/null 2>&1 || true; fi
esac
