package sqlite_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"modernc.org/libc"
	code "modernc.org/sqlite/lib"
)

// disk is a layer of files between SQLite and the system. It writes down what SQLite writes and when it asks for
// a sync, so that the state of the files after a power cut can be made for any moment, and it can fail on
// demand. Nothing is ever synced: what a test reads back is in the memory of the system.
type disk struct {
	name string

	mu    sync.Mutex
	ops   []op
	fault func(o op) int32 // asked before each op; another answer than SQLITE_OK is given instead
	torn  bool             // a write that fails leaves its first half
	tears int              // how many did

	system *code.Tsqlite3_vfs
	mine   uintptr
	files  map[uintptr]string // open files that are recorded, by address
	keep   []any              // functions that C structures point to
}

// op is something done to a file, or a note of the test.
type op struct {
	kind opKind
	file string // the end of its name: "" is the main file, "-wal" the log of writes
	at   int64
	data []byte
	half func() int32 // writes the first half of data
}

type opKind int

const (
	write    opKind = iota
	truncate        // to the length at
	syncs
	remove // durably, if at is not 0
	note
)

// shim is a file as SQLite sees it. The file of the system follows it in memory.
type shim struct {
	methods uintptr
	_       uintptr
}

const shimSize = unsafe.Sizeof(shim{})

// newDisk registers a layer for the length of a test.
func newDisk(t *testing.T) *disk {
	t.Helper()
	tls := libc.NewTLS()
	d := &disk{name: "disk-of-" + strings.ReplaceAll(t.Name(), "/", "-"), files: make(map[uintptr]string)}
	system := code.Xsqlite3_vfs_find(tls, 0)
	d.system = at[code.Tsqlite3_vfs](system)
	d.mine = libc.Xcalloc(tls, 1, code.Tsize_t(unsafe.Sizeof(code.Tsqlite3_vfs{})))
	name, err := libc.CString(d.name)
	if err != nil {
		t.Fatal(err)
	}
	methods := libc.Xcalloc(tls, 1, code.Tsize_t(unsafe.Sizeof(code.Tsqlite3_io_methods{})))
	d.fill(at[code.Tsqlite3_io_methods](methods))

	v := at[code.Tsqlite3_vfs](d.mine)
	*v = *d.system
	v.FzName, v.FszOsFile = name, d.system.FszOsFile+int32(shimSize)
	open := function[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32](d.system.FxOpen)
	v.FxOpen = pointer(d, func(tls *libc.TLS, _, name, file uintptr, flags int32, out uintptr) int32 {
		rc := open(tls, system, name, file+shimSize, flags, out)
		at[shim](file).methods = 0
		if at[shim](file+shimSize).methods != 0 {
			at[shim](file).methods = methods
		}
		if rc == code.SQLITE_OK && name != 0 {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.files[file] = suffix(libc.GoString(name))
		}
		return rc
	})
	unlink := function[func(*libc.TLS, uintptr, uintptr, int32) int32](d.system.FxDelete)
	v.FxDelete = pointer(d, func(tls *libc.TLS, _, name uintptr, sync int32) int32 {
		return d.do(op{kind: remove, file: suffix(libc.GoString(name)), at: int64(sync)}, func() int32 { return unlink(tls, system, name, 0) })
	})
	if rc := code.Xsqlite3_vfs_register(tls, d.mine, 0); rc != code.SQLITE_OK {
		t.Fatalf("registering a layer: code %d", rc)
	}
	t.Cleanup(func() {
		code.Xsqlite3_vfs_unregister(tls, d.mine)
		for _, p := range []uintptr{d.mine, methods, name} {
			libc.Xfree(tls, p)
		}
		tls.Close()
	})
	return d
}

// fill sets the methods of a file: those that write are recorded, the others are the system's.
func (d *disk) fill(m *code.Tsqlite3_io_methods) {
	m.FiVersion = 2
	type of = *code.Tsqlite3_io_methods
	m.FxClose = pointer(d, func(tls *libc.TLS, f uintptr) int32 {
		d.mu.Lock()
		delete(d.files, f)
		d.mu.Unlock()
		return method[func(*libc.TLS, uintptr) int32](f, func(m of) uintptr { return m.FxClose })(tls, f+shimSize)
	})
	m.FxRead = pointer(d, func(tls *libc.TLS, f, buf uintptr, n int32, off int64) int32 {
		return method[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](f, func(m of) uintptr { return m.FxRead })(tls, f+shimSize, buf, n, off)
	})
	m.FxWrite = pointer(d, func(tls *libc.TLS, f, buf uintptr, n int32, off int64) int32 {
		data := slices.Clone(unsafe.Slice(at[byte](buf), n))
		first := func(n int32) int32 {
			return method[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](f, func(m of) uintptr { return m.FxWrite })(tls, f+shimSize, buf, n, off)
		}
		return d.on(f, op{kind: write, at: off, data: data, half: func() int32 { return first(n / 2) }}, func() int32 { return first(n) })
	})
	m.FxTruncate = pointer(d, func(tls *libc.TLS, f uintptr, size int64) int32 {
		return d.on(f, op{kind: truncate, at: size}, func() int32 {
			return method[func(*libc.TLS, uintptr, int64) int32](f, func(m of) uintptr { return m.FxTruncate })(tls, f+shimSize, size)
		})
	})
	m.FxSync = pointer(d, func(_ *libc.TLS, f uintptr, _ int32) int32 {
		return d.on(f, op{kind: syncs}, func() int32 { return code.SQLITE_OK })
	})
	m.FxFileSize = passed2(d, func(m of) uintptr { return m.FxFileSize })
	m.FxLock = passed1(d, func(m of) uintptr { return m.FxLock })
	m.FxUnlock = passed1(d, func(m of) uintptr { return m.FxUnlock })
	m.FxCheckReservedLock = passed2(d, func(m of) uintptr { return m.FxCheckReservedLock })
	m.FxFileControl = pointer(d, func(tls *libc.TLS, f uintptr, what int32, arg uintptr) int32 {
		return method[func(*libc.TLS, uintptr, int32, uintptr) int32](f, func(m of) uintptr { return m.FxFileControl })(tls, f+shimSize, what, arg)
	})
	m.FxSectorSize = pointer(d, func(tls *libc.TLS, f uintptr) int32 {
		return method[func(*libc.TLS, uintptr) int32](f, func(m of) uintptr { return m.FxSectorSize })(tls, f+shimSize)
	})
	m.FxDeviceCharacteristics = pointer(d, func(tls *libc.TLS, f uintptr) int32 {
		return method[func(*libc.TLS, uintptr) int32](f, func(m of) uintptr { return m.FxDeviceCharacteristics })(tls, f+shimSize)
	})
	m.FxShmMap = pointer(d, func(tls *libc.TLS, f uintptr, region, size, extend int32, out uintptr) int32 {
		return method[func(*libc.TLS, uintptr, int32, int32, int32, uintptr) int32](f, func(m of) uintptr { return m.FxShmMap })(tls, f+shimSize, region, size, extend, out)
	})
	m.FxShmLock = pointer(d, func(tls *libc.TLS, f uintptr, from, n, flags int32) int32 {
		return method[func(*libc.TLS, uintptr, int32, int32, int32) int32](f, func(m of) uintptr { return m.FxShmLock })(tls, f+shimSize, from, n, flags)
	})
	m.FxShmBarrier = pointer(d, func(tls *libc.TLS, f uintptr) {
		method[func(*libc.TLS, uintptr)](f, func(m of) uintptr { return m.FxShmBarrier })(tls, f+shimSize)
	})
	m.FxShmUnmap = passed1(d, func(m of) uintptr { return m.FxShmUnmap })
}

func passed1(d *disk, which func(*code.Tsqlite3_io_methods) uintptr) uintptr {
	return pointer(d, func(tls *libc.TLS, f uintptr, n int32) int32 {
		return method[func(*libc.TLS, uintptr, int32) int32](f, which)(tls, f+shimSize, n)
	})
}

func passed2(d *disk, which func(*code.Tsqlite3_io_methods) uintptr) uintptr {
	return pointer(d, func(tls *libc.TLS, f, out uintptr) int32 {
		return method[func(*libc.TLS, uintptr, uintptr) int32](f, which)(tls, f+shimSize, out)
	})
}

// on does something to a file, which may be one without a name.
func (d *disk) on(f uintptr, o op, do func() int32) int32 {
	d.mu.Lock()
	file, recorded := d.files[f]
	d.mu.Unlock()
	if !recorded {
		return do()
	}
	o.file = file
	return d.do(o, do)
}

func (d *disk) do(o op, do func() int32) int32 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fault != nil {
		if rc := d.fault(o); rc != code.SQLITE_OK {
			if d.torn && o.kind == write && o.half() == code.SQLITE_OK {
				o.data = o.data[:len(o.data)/2]
				d.ops = append(d.ops, o)
				d.tears++
			}
			return rc
		}
	}
	rc := do()
	if rc == code.SQLITE_OK {
		d.ops = append(d.ops, o)
	}
	return rc
}

// note marks a moment, and returns its place among the ops.
func (d *disk) note() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ops = append(d.ops, op{kind: note})
	return len(d.ops)
}

// fail sets what answers come instead of ops from now on; nil: none.
func (d *disk) fail(fault func(o op) int32) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fault = fault
}

// suffix is what a name has behind that of the main file.
func suffix(name string) string {
	for _, s := range []string{"-wal", "-journal"} {
		if strings.HasSuffix(name, s) {
			return s
		}
	}
	return ""
}

// at is what is at an address outside of Go's memory.
func at[T any](p uintptr) *T { return *(**T)(unsafe.Pointer(&p)) }

// function is a function that SQLite made.
func function[F any](p uintptr) F { return *(*F)(unsafe.Pointer(&p)) }

// pointer is the address that SQLite calls a function by.
func pointer[F any](d *disk, f F) uintptr {
	d.keep = append(d.keep, f)
	return *(*uintptr)(unsafe.Pointer(&f))
}

// method is a method of the system's file behind f.
func method[F any](f uintptr, which func(*code.Tsqlite3_io_methods) uintptr) F {
	return function[F](which(at[code.Tsqlite3_io_methods](at[shim](f + shimSize).methods)))
}
