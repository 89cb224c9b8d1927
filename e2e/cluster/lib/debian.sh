# shellcheck shell=bash
# Root file systems from Debian packages.

need_mmdebstrap() {
  is_root || die "$1 can neither be pulled nor, without root, be made from packages. Give this machine access to a registry, or load the image into Docker"
  [[ $(uname -s)-$(uname -m) == Linux-x86_64 ]] || die "$1 can not be pulled, and is made from packages only on Linux on x86-64"
  apt_install mmdebstrap debian-archive-keyring
}

# debian_root FOLDER PACKAGE,...: without documentation, translations, and lists.
debian_root() {
  local root=$1 packages=$2
  # The hook's folder: Java's packages put links there and fail without it.
  # shellcheck disable=SC2016
  bounded 1200 nice mmdebstrap --variant=minbase --mode=root --format=directory \
    --aptopt='Acquire::Languages "none"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/info/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --essential-hook='mkdir -p "$1/usr/share/man/man1"' \
    --include="$packages" "$DEBIAN_SUITE" "$root"
  rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/var/log/*
  # Nothing of the machine it was made on.
  rm -f "$root"/etc/resolv.conf "$root"/etc/hostname "$root"/etc/machine-id
  : >"$root/etc/machine-id"
  # The machine's own settings for apt may be copied in; images do not install.
  rm -f "$root"/etc/apt/apt.conf.d/99mmdebstrap
}

# pack_root FOLDER TAR: and away with the folder.
pack_root() {
  tar --numeric-owner --xattrs --one-file-system -C "$1" -cf "$2" .
  rm -rf "$1"
}
