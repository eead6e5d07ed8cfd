package scenariotest

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
)

// Served runs a server until the context ends, and returns a handler that forwards requests to it. The server prints
// its address after the prefix in a line.
func Served(ctx context.Context, prefix string, serve func(context.Context, io.Writer) error) (http.Handler, error) {
	printed, w := io.Pipe()
	go func() { w.CloseWithError(serve(ctx, w)) }()
	lines := bufio.NewScanner(printed)
	for lines.Scan() {
		address, found := strings.CutPrefix(lines.Text(), prefix)
		if !found {
			continue
		}
		go func() { _, _ = io.Copy(io.Discard, printed) }() // later lines
		to, err := url.Parse(address)
		if err != nil {
			return nil, err
		}
		return &httputil.ReverseProxy{
			Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(to) },
			Transport: &http.Transport{DisableKeepAlives: true},
		}, nil
	}
	return nil, errors.Join(lines.Err(), errors.New("the server ended before it listened"))
}
