package callback

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
)

// arriving is a request of which some bytes have arrived and the rest has not, until it is let go.
type arriving struct {
	*http.Request
	came chan struct{} // closed when all bytes that arrived were read
	rest chan struct{} // closed to end the body
}

func newArriving(n int, claimed int64) *arriving {
	a := &arriving{came: make(chan struct{}), rest: make(chan struct{})}
	a.Request = httptest.NewRequest(http.MethodPost, "/",
		io.NopCloser(io.MultiReader(bytes.NewReader(make([]byte, n)), a)))
	a.ContentLength = claimed
	return a
}

func (a *arriving) Read([]byte) (int, error) {
	close(a.came)
	<-a.rest
	return 0, io.EOF
}

// Large bodies together get no more than their part of the room, small ones find room next to them, and all of it is
// free again after the last one.
func TestBodiesInFlight(t *testing.T) {
	const most = 1 << 20
	bodies := NewBodies(96 << 10)
	var open []*arriving
	ended := make(chan error)
	receive := func(n int, claimed int64) error {
		a := newArriving(n, claimed)
		failed := make(chan error, 1)
		go func() {
			body, err := bodies.Read(httptest.NewRecorder(), a.Request, most)
			if err != nil {
				failed <- err
				return
			}
			if len(body) != n {
				err = errors.New("a part of the body is missing")
			}
			bodies.Done(body)
			ended <- err
		}()
		select {
		case err := <-failed:
			return err
		case <-a.came:
			open = append(open, a)
			return nil
		}
	}
	for i, tt := range []struct {
		name    string
		n       int
		claimed int64
		want    error
		held    int64
	}{
		{"claims much and sends little", 100, most, nil, 4 << 10},
		{"sends 10 KiB", 10 << 10, -1, nil, 20 << 10},
		{"sends 20 KiB of a known length", 20 << 10, 20 << 10, nil, 40<<10 + 1},
		{"sends another 20 KiB", 20 << 10, 20 << 10, ErrFull, 40<<10 + 1},
		{"a usual one", 200, 200, nil, 40<<10 + 202},
	} {
		if err := receive(tt.n, tt.claimed); !errors.Is(err, tt.want) {
			t.Errorf("%d, %s: got %v, want %v", i+1, tt.name, err, tt.want)
		}
		if held := bodies.held.Load(); held != tt.held {
			t.Errorf("%d, %s: %d bytes are counted, want %d", i+1, tt.name, held, tt.held)
		}
	}
	small := 0
	for ; receive(3<<10, 3<<10) == nil; small++ {
	}
	if small != 18 {
		t.Errorf("%d bodies of 3 KiB were received besides, want 18 in what is left of 96 KiB", small)
	}
	for _, a := range open {
		close(a.rest)
	}
	for range open {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	if held := bodies.held.Load(); held != 0 {
		t.Errorf("%d bytes are counted after the end, want 0", held)
	}
	if err := receive(20<<10, 20<<10); err != nil {
		t.Errorf("after the flood: %v", err)
	}
	close(open[len(open)-1].rest)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestRoom(t *testing.T) {
	for _, tt := range []struct{ chosen, usual, maxBody, want int64 }{
		{0, 32, 8, 32}, {0, 32, 20, 40}, {64, 32, 8, 64},
	} {
		if got := Room(tt.chosen, tt.usual, tt.maxBody); got != tt.want {
			t.Errorf("%+v: got %d", tt, got)
		}
	}
	for chosen, ok := range map[int64]bool{0: true, 16: true, 15: false, -1: false, 1 << 40: true} {
		var c Check
		if c.CheckRoom(chosen, 8); (len(c) == 0) != ok {
			t.Errorf("%d: got %v", chosen, c)
		}
	}
}

// A request for whose body there is no room is refused with the status of its kind.
func TestServerWithoutRoom(t *testing.T) {
	var s steps
	k := stepping(&s)
	k.Limits.MaxReceiving = 150
	h := NewServer(k, nil)
	first, ended := newArriving(10, 100), make(chan struct{})
	go func() {
		h.ServeHTTP(httptest.NewRecorder(), first.Request)
		close(ended)
	}()
	<-first.came
	s.asked = nil
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(make([]byte, 100))))
	want := []string{"admit", "refused 429 steps", "answered 429 " + ErrFull.Error()}
	if w.Code != k.Full || !slices.Equal(s.asked, want) {
		t.Errorf("got %d and %q, want %q", w.Code, s.asked, want)
	}
	close(first.rest)
	<-ended
}
