package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"time"
)

// file is one of an archive.
type file struct {
	name    string
	content []byte
	runs    bool // it is a program
}

// mode is that of the file in an archive.
func (f file) mode() int64 {
	if f.runs {
		return 0o755
	}
	return 0o644
}

// epoch is the time of each file. A zip cannot have an earlier one.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// archive writes the archive of a platform: a zip for Windows, otherwise a tar.gz.
func (d *dist) archive(t target, binary []byte, pages []file) error {
	name := fmt.Sprintf("commerce-refserver_%s_%s_%s", d.version, t.os, t.arch)
	files := append([]file{{t.program(), binary, true}}, pages...)
	pack, suffix := tarred, ".tar.gz"
	if t.os == "windows" {
		pack, suffix = zipped, ".zip"
	}
	content, err := pack(name+"/", files)
	if err != nil {
		return err
	}
	return d.write(name+suffix, content)
}

// tarred returns a tar.gz with the files below a directory.
func tarred(below string, files []file) ([]byte, error) {
	var out bytes.Buffer
	compressed, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // which is a level
	tape := tar.NewWriter(compressed)
	for _, f := range files {
		head := tar.Header{Name: below + f.name, Mode: f.mode(), Size: int64(len(f.content)), ModTime: epoch, Format: tar.FormatUSTAR}
		if err := tape.WriteHeader(&head); err != nil {
			return nil, err
		}
		if _, err := tape.Write(f.content); err != nil {
			return nil, err
		}
	}
	return closed(&out, tape, compressed)
}

// zipped returns a zip with the files below a directory.
func zipped(below string, files []file) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range files {
		w, err := z.CreateHeader(&zip.FileHeader{Name: below + f.name, Method: zip.Deflate, Modified: epoch})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	return closed(&out, z)
}

// closed returns what was written once the writers have written their ends.
func closed(out *bytes.Buffer, writers ...io.Closer) ([]byte, error) {
	for _, w := range writers {
		if err := w.Close(); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}
