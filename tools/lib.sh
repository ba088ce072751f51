# Shared by the scripts of this folder, which source it: messages, system packages, and the release build.
# shellcheck shell=bash

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
logs=$root/.build/logs
binary=$root/.build/release/stylemodel
python=$root/.build/venv/bin/python

# What the build links, as "pkg-config module:Debian package".
build_libraries=(
  zlib:zlib1g-dev
  libpng:libpng-dev
  libjpeg:libjpeg-dev
  libprotobuf-c:libprotobuf-c-dev
  hdf5:libhdf5-dev
)

say() { printf '%s\n' "$*" >&2; }

die() {
  printf 'Error: %s\n' "$1" >&2
  shift
  for line in "$@"; do printf '  %s\n' "$line" >&2; done
  exit 1
}

# Runs a command with its output in a log, which is shown when the command fails.
quietly() {
  local log=$logs/$1.log
  shift
  mkdir -p "$logs"
  "$@" >"$log" 2>&1 && return
  say "Failed: $*"
  say "The end of $log:"
  tail -n 40 "$log" >&2
  return 1
}

# Prints the Debian packages that the build lacks.
missing_build_packages() {
  command -v pkg-config >/dev/null || {
    printf '%s\n' pkg-config "${build_libraries[@]#*:}"
    return
  }
  local library
  for library in "${build_libraries[@]}"; do
    pkg-config --exists "${library%%:*}" || printf '%s\n' "${library#*:}"
  done
}

# Installs Debian packages, or says what to do where that is not possible.
install_packages() {
  [ $# -gt 0 ] || return 0
  local as_root=()
  command -v apt-get >/dev/null ||
    die "this system has no apt-get, and these packages are missing: $*" \
      "They are named as in Debian: install what your system calls them, and run this again."
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      die "these packages are missing, and only root can install them: $*" "As root: apt-get install $*"
    # Without a terminal sudo could only hang or fail for want of a password.
    [ -t 0 ] || sudo -n true 2>/dev/null ||
      die "these packages are missing, and sudo wants a password: $*" "Run: sudo apt-get install $*"
    as_root=(sudo)
  fi
  say "Installing $* (apt-get)"
  local install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@")
  # Package lists are fetched only where they are missing or out of date: that takes the longest.
  mkdir -p "$logs"
  "${install[@]}" >"$logs/apt-install.log" 2>&1 && return
  quietly apt-update "${as_root[@]}" apt-get update ||
    die "the package lists cannot be fetched, so these packages stay missing: $*" "Is there a network?"
  quietly apt-install "${install[@]}" || die "these packages cannot be installed: $*" "See the messages above."
}

require_swift() {
  command -v swift >/dev/null ||
    die "Swift is not installed, or not in PATH; 6.2 or later is needed" \
      "Get it from https://www.swift.org/install/linux/ and run this again."
}

# Everything that building needs.
prepare_build() {
  local missing
  mapfile -t missing < <(missing_build_packages)
  install_packages "${missing[@]}"
  require_swift
}

# Builds the release binary and, beside it, the reader of HDF5 files, which is a few files of C. (Of several --product
# options SwiftPM heeds only the last.) With the Swift runtime linked in, the binary starts in half the time.
build_release() {
  local stamp=$root/.build/release.stamp
  mkdir -p "$logs"
  # What is edited while it builds is newer than the stamp.
  touch "$stamp.new"
  local product
  for product in stylemodel-hdf5-reader stylemodel; do
    quietly build-release swift build --package-path "$root" -c release --product "$product" --static-swift-stdlib ||
      return
  done
  mv "$stamp.new" "$stamp"
}

# Whether the release binary was built from the sources as they are. SwiftPM could say so too, in 1.5 seconds.
release_is_current() {
  local stamp=$root/.build/release.stamp
  [ -x "$binary" ] && [ -f "$stamp" ] &&
    [ -z "$(find "$root/Package.swift" "$root/Sources" -newer "$stamp" -print -quit)" ]
}

# A virtual environment with what the scripts in Python need, made anew when the requirements change.
prepare_python() { prepare_environment "$root/.build/venv" "$root/tools/requirements.txt"; }

# prepare_environment FOLDER REQUIREMENTS: makes a virtual environment of these packages, unless it is there already.
prepare_environment() {
  local folder=$1 wanted=$2 made=$1/requirements.txt missing=()
  if cmp -s "$wanted" "$made"; then return; fi
  command -v python3 >/dev/null || missing+=(python3)
  # Debian keeps what makes a virtual environment in a package of its own.
  python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
  install_packages "${missing[@]}"
  rm -rf "$folder"
  python3 -m venv "$folder"
  "$folder/bin/python" -m pip install --disable-pip-version-check -r "$wanted"
  cp "$wanted" "$made"
}
