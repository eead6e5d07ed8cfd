package doctor_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log"
	"math/big"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/doctor"
)

// authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// issue makes a certificate for 127.0.0.1, changed by f, signed by an authority, or by itself if that is nil.
func issue(t *testing.T, by *authority, f func(c *x509.Certificate)) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	c := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "test"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore:   time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(48 * time.Hour), BasicConstraintsValid: true,
	}
	f(c)
	parent := by
	if by == nil {
		parent = &authority{c, key}
	}
	raw, err := x509.CreateCertificate(rand.Reader, c, parent.cert, &key.PublicKey, parent.key)
	must(t, err)
	parsed, err := x509.ParseCertificate(raw)
	must(t, err)
	return &authority{parsed, key}
}

func isAuthority(c *x509.Certificate) {
	c.IsCA, c.KeyUsage, c.IPAddresses = true, x509.KeyUsageCertSign, nil
}

// doors are partners whose door is wrong, or right.
func doors() []struct{ name, want, says string } {
	return []struct{ name, want, says string }{
		{"the whole chain", "", ""}, {"without the intermediate certificate", "certificate", "one certificate, without those"},
		{"expired", "certificate", "expired"}, {"for another name", "certificate", "127.0.0.9"},
		{"signed by itself", "certificate", "unknown authority"},
		{"drops the handshake", "certificate", "closed the connection"}, {"speaks http", "certificate", "no TLS at this port"},
		{"nobody listens", "connection", "connection refused: no program listens"}, {"http in public", "https", "http://app.example"},
	}
}

func TestDoors(t *testing.T) {
	root := issue(t, nil, isAuthority)
	middle := issue(t, root, isAuthority)
	roots := x509.NewCertPool()
	roots.AddCert(root.cert)
	for _, row := range doors() {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			leaf := issue(t, middle, func(c *x509.Certificate) {
				switch row.name {
				case "expired":
					c.NotAfter = time.Now().Add(-time.Hour)
				case "for another name":
					c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 9)}
				}
			})
			chain := [][]byte{leaf.cert.Raw, middle.cert.Raw}
			switch row.name {
			case "without the intermediate certificate":
				chain = chain[:1]
			case "signed by itself":
				leaf = issue(t, nil, func(*x509.Certificate) {})
				chain = [][]byte{leaf.cert.Raw}
			}
			at := open(t, row.name, tls.Certificate{Certificate: chain, PrivateKey: leaf.key})
			o := doctor.Options{Kind: doctor.Carrier, Roots: roots, URL: at + "/rates"}
			report, err := doctor.Examine(t.Context(), o)
			must(t, err)
			blames(t, report, row.want)
			for _, found := range report.In(doctor.Failed) {
				if !strings.Contains(found.Got, row.says) {
					t.Errorf("got %q, want %q in it", found.Got, row.says)
				}
			}
		})
	}
}

// open starts a carrier behind a door and returns its address.
func open(t *testing.T, name string, c tls.Certificate) string {
	t.Helper()
	if name == "http in public" {
		return "http://app.example"
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	switch name {
	case "nobody listens":
		l.Close()
		return "https://" + l.Addr().String()
	case "drops the handshake":
		done := make(chan struct{})
		go func() {
			defer close(done)
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				conn.Close()
			}
		}()
		t.Cleanup(func() { l.Close(); <-done })
		return "https://" + l.Addr().String()
	}
	if name == "speaks http" {
		l.Close()
		return strings.Replace(serve(t, &partner{kind: doctor.Carrier}).URL, "http", "https", 1)
	}
	s := &httptest.Server{Listener: l, TLS: &tls.Config{Certificates: []tls.Certificate{c}}}
	fresh := httptest.NewUnstartedServer(&partner{kind: doctor.Carrier})
	fresh.Listener.Close()
	fresh.Listener, fresh.TLS = s.Listener, s.TLS
	fresh.Config.ErrorLog = log.New(io.Discard, "", 0)
	fresh.StartTLS()
	t.Cleanup(fresh.Close)
	return fresh.URL
}
