package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// errReplaced means that the files of the inbox are not the opened ones, or no longer have their contents. A process
// that starts would not find the writes of this process there.
var errReplaced = errors.New("the files were deleted, moved or replaced while they were open")

// place is the location of the files of an inbox when they were opened. SQLite continues with files that were deleted
// or replaced meanwhile, without an error.
type place struct {
	path   string // absolute, as the user named it
	link   bool   // path is a symbolic link
	target string
	files  [3]os.FileInfo // by index of places; nil if SQLite does not use it
}

// ends are the suffixes of the names of the files: the tables, the write-ahead log and the shared memory.
var ends = [3]string{"", "-wal", "-shm"}

// locate finds the file at a path, through symbolic links.
func locate(path string) (*place, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	p := &place{path: absolute, target: absolute}
	info, err := os.Lstat(absolute)
	if err != nil {
		return nil, err
	}
	if p.link = info.Mode()&os.ModeSymlink != 0; p.link {
		if p.target, err = filepath.EvalSymlinks(absolute); err != nil {
			return nil, err
		}
	}
	p.files[0], err = os.Stat(p.target)
	return p, err
}

// opened notes the other files after SQLite has opened them, and checks that the file is the located one.
func (p *place) opened() error {
	if _, err := p.check(); err != nil {
		return err
	}
	for i, end := range ends[1:] {
		info, err := os.Stat(p.target + end)
		if err != nil {
			return err
		}
		p.files[i+1] = info
	}
	return nil
}

// check returns the sizes of the files, or errReplaced. It looks the files up as a process that starts would.
func (p *place) check() (sizes [3]int64, err error) {
	target := p.target
	if p.link {
		if target, err = filepath.EvalSymlinks(p.path); err != nil {
			return sizes, fmt.Errorf("%w: %w", errReplaced, err)
		}
		if target != p.target {
			return sizes, fmt.Errorf("%w: %s links to %s: must link to %s", errReplaced, p.path, target, p.target)
		}
	}
	for i, file := range p.files {
		if file == nil {
			continue
		}
		now, err := os.Stat(target + ends[i])
		if err != nil {
			return sizes, fmt.Errorf("%w: %w", errReplaced, err)
		}
		if !os.SameFile(now, file) {
			return sizes, fmt.Errorf("%w: %s is another file", errReplaced, target+ends[i])
		}
		sizes[i] = now.Size()
	}
	return sizes, nil
}
