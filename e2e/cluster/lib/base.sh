# shellcheck shell=bash
# The image that the project's own images start from: a Java 17 runtime.

BASE_PACKAGES=openjdk-17-jre-headless,bash,curl,ca-certificates,procps,tzdata,passwd
BASE_KEY=$(sha_of "$HERE/lib/base.sh" "$HERE/lib/debian.sh")
OWN_BASE_IMAGE=hbase-offheap/java-base:$BASE_KEY
BASE_TAR=$CACHE/java-base/$BASE_KEY
BASE_ENV=(
  PATH=/opt/java/openjdk/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  JAVA_HOME=/opt/java/openjdk
  LANG=C.UTF-8
  LC_ALL=C.UTF-8
)

ensure_base() {
  if pull_if_possible "$PUBLISHED_JAVA_IMAGE"; then
    BASE_IMAGE=$PUBLISHED_JAVA_IMAGE
  else
    BASE_IMAGE=$OWN_BASE_IMAGE
    image_there "$OWN_BASE_IMAGE" || make_base
  fi
}

make_base() {
  make_base_root
  step "importing the Java base image into Docker" java-base-import import_base
}

make_base_root() {
  [[ -e $BASE_TAR ]] || need_mmdebstrap "the Java base image"
  cache_entry "$BASE_TAR" "making the Java base image from Debian packages (about 90 s)" build_base
}

build_base() {
  local root=$1/root
  debian_root "$root" "$BASE_PACKAGES"
  # The published Java image has its runtime here and nothing else of the two
  # images' layout matters to what is built on them.
  mkdir -p "$root/opt/java"
  ln -s /usr/lib/jvm/java-17-openjdk-amd64 "$root/opt/java/openjdk"
  # 13 MB of start-up data for heaps of 32 GB and more; Java does without.
  find "$root/usr/lib/jvm" -name 'classes_nocoops.jsa' -delete
  pack_root "$root" "$1/root.tar"
}

import_base() {
  docker import "${BASE_ENV[@]/#/--change=ENV }" --change 'CMD ["bash"]' \
    "$BASE_TAR/root.tar" "$OWN_BASE_IMAGE"
  docker run --rm --network none --user 12345:0 "$OWN_BASE_IMAGE" java -Xmx32m -version
}

# base_image_known: the name without making anything, or nothing.
base_image_known() {
  local name
  for name in "$PUBLISHED_JAVA_IMAGE" "$OWN_BASE_IMAGE"; do
    if image_there "$name"; then
      echo "$name"
      return
    fi
  done
}
