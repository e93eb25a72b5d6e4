#!/bin/sh
# Builds the WebRTC library of node-datachannel 0.33.4 with the OpenSSL 3 of Debian, because its own builds contain
# OpenSSL 1.1.1w, which ended in 2023: docs/decisions/0031. Its package has its own sources, but not libdatachannel's.
# Every source is pinned by its content: a commit of git, or the hash of a package.
# Needs cmake, g++, git, make, libssl-dev, libusrsctp-dev, and Node with its headers.
# Usage: build-webrtc-library.sh NODE_DATACHANNEL_FOLDER WORK_FOLDER OUTPUT_FILE
set -eu
package=$1
work=$2
output=$3

# The versions that node-datachannel 0.33.4 and libdatachannel 0.24.5 name. Newer ones come with the next release.
libdatachannel=443f6934d9007eb7076ab7825ba330f355fcbead
libjuice=3c40a3545b6b1b62c7adee7f8f2bd58aa290afd6
libsrtp=24b3bf8f19b6f5ab4cd2bcceb4f4064efca86fd5
plog=94899e0b926ac1b0f4750bfbd495167b4a6ae9ef
addon_api=e66ddbb32ae3156135c5fee7cfb61774de2e76756d5caebf61f827e6a9da84be9b0a47f6c8ab789379ee4ca02d4f8af7206f09351da772c20c759b80cc98c741

version=$(node -p "require('$package/package.json').version")
if [ "$version" != 0.33.4 ]; then
  echo "build-webrtc-library.sh is for node-datachannel 0.33.4, and $package has $version: update the pinned sources" >&2
  exit 1
fi

# The commit of a repository, without its history.
checkout() {
  git init --quiet "$3"
  git -C "$3" fetch --quiet --depth 1 "$1" "$2"
  git -C "$3" -c advice.detachedHead=false checkout --quiet FETCH_HEAD
  test "$(git -C "$3" rev-parse HEAD)" = "$2"
}

mkdir -p "$work"
cd "$work"
cp -R "$package" source
checkout https://github.com/paullouisageneau/libdatachannel.git $libdatachannel libdatachannel
checkout https://github.com/paullouisageneau/libjuice.git $libjuice libdatachannel/deps/libjuice
checkout https://github.com/cisco/libsrtp.git $libsrtp libdatachannel/deps/libsrtp
checkout https://github.com/SergiusTheBest/plog.git $plog libdatachannel/deps/plog

npm pack --silent node-addon-api@7.1.1
echo "$addon_api  node-addon-api-7.1.1.tgz" | sha512sum --check --quiet
mkdir -p source/node_modules/node-addon-api
tar --extract --file node-addon-api-7.1.1.tgz --strip-components 1 --directory source/node_modules/node-addon-api

# OpenSSL is linked statically, without exported symbols: Node has one of its own, whose symbols a shared one would find
# first. The library of SCTP is Debian's shared one, which the machine that runs the result needs (libusrsctp2).
cmake -S source -B build \
  -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_JS_INC="$(node -p "path.resolve(process.execPath, '../../include/node')")" \
  -DCMAKE_CXX_FLAGS="-I$work/libdatachannel/include -I$work/libdatachannel/deps/plog/include" \
  -DFETCHCONTENT_FULLY_DISCONNECTED=ON \
  -DFETCHCONTENT_SOURCE_DIR_LIBDATACHANNEL="$work/libdatachannel" \
  -DUSE_SYSTEM_USRSCTP=ON \
  -DNO_EXAMPLES=ON -DNO_TESTS=ON
cmake --build build --parallel "$(nproc)" --target node_datachannel

strip --strip-unneeded build/node_datachannel.node
# The build found a supported OpenSSL, and Node can load the result.
grep --quiet --text 'OpenSSL 3\.' build/node_datachannel.node
node -e "require('$work/build/node_datachannel.node').cleanup()"
mkdir -p "$(dirname "$output")"
cp build/node_datachannel.node "$output"
