// Command dist builds what a user without Go installs: the reference server for Linux, macOS and Windows on amd64 and
// arm64.
//
//	.bin/dist v0.1.0                    # everything, into the directory dist
//	.bin/dist -only linux/amd64 v0.1.0  # one platform
//	.bin/dist -list v0.1.0              # the names of what is published; nothing is built
//
// It writes, with the version in each name,
//
//   - an archive for each platform, with the program, its license and a page on how to begin;
//   - an npm package for each platform, and commerce-refserver, which requires them and starts the one that fits;
//   - linux/ARCH/refserver, which the Dockerfile of the program copies into an image;
//   - SHA256SUMS.
//
// Nothing is published. Two runs of one commit write the same bytes.
package main
