package engine

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// claiming is an answer that claims a length, and sends another number of bytes in pieces.
func claiming(status int, claimed int64, body io.Reader) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, ContentLength: claimed, Body: io.NopCloser(body)}
}

// pieces gives n bytes, some at a time, and then err.
type pieces struct {
	n, size int
	err     error
}

func (p *pieces) Read(to []byte) (int, error) {
	if p.n == 0 {
		return 0, p.err
	}
	n := min(len(to), p.size, p.n)
	for i := range n {
		to[i] = byte('a' + (p.n-i)%26)
	}
	p.n -= n
	return n, nil
}

// TestMemoryFollowsTheBytes: what a body takes is a multiple of the bytes that arrived, whatever length was claimed.
func TestMemoryFollowsTheBytes(t *testing.T) {
	const limit, most = 32 << 20, 80 << 10 // beside the multiple: the least memory that is lent, and what reading takes
	for _, status := range []int{200, 500} {
		for _, claimed := range []int64{-1, 0, 100, 64 << 10, 1 << 20, 5 << 20, limit, limit + 1, 1 << 40} {
			for _, sent := range []int{0, 1, 5000, 33 << 10, 300 << 10, 3 << 20} {
				if status == 500 && sent > MaxErrorBody {
					sent = MaxErrorBody
				}
				bound := int64(limit)
				if status == 500 {
					bound = MaxErrorBody
				}
				for _, end := range []error{io.EOF, io.ErrUnexpectedEOF} {
					var b bodies
					var got []byte
					var err error
					spent := hostile.Cost(func() {
						got, err = b.read(claiming(status, claimed, &pieces{sent, 4096, end}), bound)
					})
					if len(got) != sent || end == io.EOF && err != nil || end != io.EOF && !errors.Is(err, end) {
						t.Errorf("%d, %d claimed, %d sent: got %d bytes, %v", status, claimed, sent, len(got), err)
					}
					if spent.Bytes > uint64(4*sent+most) {
						t.Errorf("%d, %d claimed, %d sent: took %d bytes, want 4 times what was sent and 80 KiB at most", status, claimed, sent, spent.Bytes)
					}
					if cap(got) > 2*sent+leastLent+1 {
						t.Errorf("%d, %d claimed, %d sent: holds %d bytes", status, claimed, sent, cap(got))
					}
				}
			}
		}
	}
}

// stalling is a body that ends when its test closes it.
type stalling struct {
	reading *sync.WaitGroup
	end     <-chan struct{}
	once    sync.Once
}

func (s *stalling) Read([]byte) (int, error) {
	s.once.Do(s.reading.Done)
	<-s.end
	return 0, io.EOF
}

// TestClaimedLengthsHoldNoMemory: 30 answers that claimed 32 MiB each and sent nothing held 960 MiB.
func TestClaimedLengthsHoldNoMemory(t *testing.T) {
	var b bodies
	var before, held runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	end := make(chan struct{})
	var reading, all sync.WaitGroup
	reading.Add(30)
	for range 30 {
		all.Go(func() { _, _ = b.read(claiming(200, 32<<20, &stalling{reading: &reading, end: end}), 32<<20) })
	}
	reading.Wait()
	runtime.ReadMemStats(&held)
	close(end)
	all.Wait()
	if took := held.TotalAlloc - before.TotalAlloc; took > 4<<20 {
		t.Errorf("30 claims of 32 MiB took %d MiB, want 4 MiB at most", took>>20)
	}
}

// TestBodiesOfAnyLengthAreWhole: what is read is what was sent, whether more or less was claimed, and after memory was
// lent.
func TestBodiesOfAnyLengthAreWhole(t *testing.T) {
	var b bodies
	for _, sent := range []int{0, 1, 511, 512, 513, 32<<10 - 1, 32 << 10, 32<<10 + 1, 100_000, 1 << 20, 5 << 20, 9 << 20} {
		text := []byte(strings.Repeat("0123456789abcdef", sent/16+1)[:sent])
		for _, claimed := range []int{-1, 0, sent, sent - 1, sent + 1, 2 * sent, 40 << 10, 1 << 20} {
			got, err := b.read(claiming(200, int64(claimed), bytes.NewReader(text)), 32<<20)
			if err != nil || !bytes.Equal(got, text) {
				t.Errorf("%d claimed of %d: got %d bytes, %v", claimed, sent, len(got), err)
			}
			b.give(got)
		}
	}
	if got, err := b.read(claiming(200, -1, &pieces{1000, 100, io.EOF}), 999); got != nil || !errors.Is(err, ErrTooLarge) {
		t.Errorf("a byte too many: got %d bytes, %v", len(got), err)
	}
	if got, err := b.read(claiming(422, -1, &pieces{1000, 100, io.EOF}), 999); len(got) != 999 || err != nil {
		t.Errorf("a refusal of a byte too many: got %d bytes, %v", len(got), err)
	}
}

// TestPagesAreReadIntoTheSameMemory: pages of about the same length cost their memory once.
func TestPagesAreReadIntoTheSameMemory(t *testing.T) {
	var b bodies
	page := func(n int) {
		got, err := b.read(claiming(200, int64(n), &pieces{n, 64 << 10, io.EOF}), 32<<20)
		if err != nil || len(got) != n {
			t.Fatal(err)
		}
		b.give(got)
	}
	page(1 << 20)
	least := uint64(1 << 40)
	for i := range 20 { // a collection may take what is lent
		least = min(least, hostile.Cost(func() { page(1<<20 + i*100) }).Bytes)
	}
	if least > 64<<10 {
		t.Errorf("a page took %d bytes after one of its size, want next to nothing", least)
	}
}
