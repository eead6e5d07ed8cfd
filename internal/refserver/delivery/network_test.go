package delivery

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// public is an address that anybody may have; nothing is ever sent to it.
const public = "93.184.216.34"

// names is a name server whose every answer is the next of its list, the last one for ever.
type names struct {
	mu      sync.Mutex
	answers [][]string
	asked   int
}

// next returns the addresses of the next lookup, which asks once for each of the two families.
func (n *names) next() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked++
	return n.answers[min((n.asked-1)/2, len(n.answers)-1)]
}

func (n *names) resolver(servers *sync.WaitGroup) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		servers.Go(func() {
			defer func() { _ = far.Close() }()
			size := make([]byte, 2)
			if _, err := io.ReadFull(far, size); err != nil {
				return
			}
			query := make([]byte, binary.BigEndian.Uint16(size))
			if _, err := io.ReadFull(far, query); err != nil {
				return
			}
			reply := answerTo(query, n.next())
			_, _ = far.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...))
		})
		return near, nil
	}}
}

// answerTo gives the addresses of the family that the query is for.
func answerTo(query []byte, addresses []string) []byte {
	const header, class, ttl = 12, 1, 0
	end := header
	for query[end] != 0 {
		end += int(query[end]) + 1
	}
	end += 5 // the empty label, type and class
	kind := binary.BigEndian.Uint16(query[end-4:])
	var records []byte
	count := 0
	for _, text := range addresses {
		a := netip.MustParseAddr(text)
		if want := map[bool]uint16{true: 1, false: 28}[a.Is4()]; want != kind {
			continue
		}
		count++
		records = append(records, 0xc0, header) // the name is the one that was asked for
		records = binary.BigEndian.AppendUint16(records, kind)
		records = binary.BigEndian.AppendUint16(records, class)
		records = binary.BigEndian.AppendUint32(records, ttl)
		records = binary.BigEndian.AppendUint16(records, uint16(len(a.AsSlice())))
		records = append(records, a.AsSlice()...)
	}
	reply := append(query[:2:2], 0x84, 0, 0, 1, 0, byte(count), 0, 0, 0, 0)
	return append(append(reply, query[header:end]...), records...)
}

// spy is a guarded dialer that notes whom it would connect to, and connects to nobody.
type spy struct {
	mu               sync.Mutex
	allowed, refused []string
	lookups          names
	nameServers      sync.WaitGroup
}

// worker returns one that may use the network, by the spy.
func (s *spy) worker(t *testing.T) *Worker {
	t.Helper()
	w, _ := start(t, Options{AllowNetwork: true}, http.NotFoundHandler())
	d := guard()
	decide := d.Control
	d.Control = func(network, address string, c syscall.RawConn) error {
		host, _, _ := net.SplitHostPort(address)
		s.mu.Lock()
		defer s.mu.Unlock()
		if err := decide(network, address, c); err != nil {
			s.refused = append(s.refused, host)
			return err
		}
		s.allowed = append(s.allowed, host)
		return errors.New("the spy connects to nobody")
	}
	d.Resolver = s.lookups.resolver(&s.nameServers)
	w.public = newClient(d.DialContext)
	t.Cleanup(s.nameServers.Wait)
	return w
}

func call(t *testing.T, w *Worker, url string) {
	t.Helper()
	if r := w.Call(t.Context(), Call{URL: url, Timeout: time.Minute}); r.Err == nil {
		t.Errorf("%s: got %d, want no answer", url, r.Status)
	}
}

// TestNamesThatTurn: what counts is the address of the connection, not that of a lookup before it.
func TestNamesThatTurn(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"} {
		t.Setenv(name, "http://198.51.100.99:3128") // is not asked for the way
	}
	s := &spy{lookups: names{answers: [][]string{{public}, {"127.0.0.1", "::1"}, {"127.0.0.1", public, "169.254.169.254"}, {"::ffff:10.0.0.1", "64:ff9b::7f00:1"}}}}
	w := s.worker(t)
	for range 5 {
		call(t, w, "https://app.other.example/hook")
	}
	t.Logf("%d lookups: would have connected to %q, refused %q", s.lookups.asked/2, s.allowed, s.refused)
	if want := []string{public, public}; !slices.Equal(s.allowed, want) {
		t.Errorf("would have connected to %q, want %q", s.allowed, want)
	}
	if !slices.Contains(s.refused, "127.0.0.1") {
		t.Errorf("127.0.0.1 was not even tried, so the test shows nothing (refused: %q)", s.refused)
	}
	if slices.Contains(s.refused, "198.51.100.99") {
		t.Error("the proxy of the environment was asked")
	}
}

// TestNothingInsideIsReached: whatever a name resolves to, and however an address is written.
func TestNothingInsideIsReached(t *testing.T) {
	inside := []string{
		"0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1", "127.255.255.254",
		"169.254.0.1", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.88.99.1",
		"192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255",
		"240.0.0.1", "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
		"64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::7f00:1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:a00:1::1",
		"fc00::1", "fd00::1", "fd00:ec2::254", "fe80::1", "febf::1", "fec0::1", "ff02::1", "ff0e::1",
	}
	s := &spy{}
	for _, a := range inside {
		s.lookups.answers = append(s.lookups.answers, []string{a})
	}
	w := s.worker(t)
	for range inside {
		call(t, w, "https://app.other.example/hook")
	}
	s.lookups.answers = [][]string{{"127.0.0.1", "::1"}} // what some resolver makes of the spellings below
	spelled := []string{
		"127.1", "127.0.1", "2130706433", "017700000001", "0x7f000001", "0x7f.1", "0177.0.0.1", "0", "0.0.0.0", "127.0.0.1.", "LOCALHOST.",
		"localhost", "[::]", "[::1]", "[::1%25lo]", "[fe80::1%25eth0]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]",
		"[64:ff9b::7f00:1]", "[fd00::1]", "user@127.0.0.1", "app.example@127.0.0.1", "127.0.0.1:8443", "[::1]:22", "255.255.255.255",
	}
	for _, host := range spelled {
		call(t, w, "https://"+host+"/hook")
	}
	for _, a := range inside {
		if host := a; strings.Contains(a, ":") {
			host = "[" + a + "]"
			call(t, w, "https://"+host+"/hook")
		} else {
			call(t, w, "http://"+host+":80/hook")
		}
	}
	t.Logf("%d calls: %d connections refused, %d made", 2*len(inside)+len(spelled), len(s.refused), len(s.allowed))
	if len(s.allowed) > 0 || len(s.refused) < len(inside) { // a machine without IPv6 tries no such address
		t.Errorf("would have connected to %q, after %d refusals; want none, and %d at least", s.allowed, len(s.refused), len(inside))
	}
}
