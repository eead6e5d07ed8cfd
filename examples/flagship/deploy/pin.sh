#!/bin/sh
# Writes copies of the files of this directory to the directory $1. There each public image has its digest of today, so
# that the same bytes start on every machine. Replace the files by their copies. A release has the copies of its day.
# The image of the app has no digest before you push it.
set -eu
cd "$(dirname "$0")"
to=${1:?directory of the copies}
mkdir -p "$to"
cp Dockerfile compose.yaml kubernetes.yaml "$to"
for image in $(sed -nE 's/^ *(FROM( --platform=[^ ]*)?|image:) +([^ ]+).*/\3/p' Dockerfile compose.yaml | sort -u); do
  case $image in registry.example/*) continue ;; esac
  digest=$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$image")
  case $digest in
    sha256:????????????????????????????????????????????????????????????????) ;;
    *) echo "$image: the registry answers no digest but \"$digest\"" >&2; exit 1 ;;
  esac
  for file in "$to"/Dockerfile "$to"/compose.yaml; do
    sed -E "s|^( *(FROM( --platform=[^ ]*)?\|image:) +)$image( .*)?\$|\1$image@$digest\4|" "$file" >"$file.new"
    mv "$file.new" "$file"
  done
done
