package control

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

const (
	prefix  = "/_/api/"
	mostAll = 64 << 20 // bytes of an answer
)

// Client calls one server. It is safe for concurrent use. Dial makes one.
type Client struct {
	// Shell names the shell of the commands that make calls. Carts that it begins are listed with it.
	Shell string

	base string
	http *http.Client
}

// Refusal is a refusal of the server.
type Refusal struct {
	Status  int    `json:"-"`
	Message string `json:"error"`
	Hint    string `json:"hint"`
	Field   string `json:"field"`
	Value   any    `json:"value"`
	Rule    string `json:"rule"`
}

// Error returns the message and what to do about it.
func (e *Refusal) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + " (" + e.Hint + ")"
}

// ErrUnreachable says that no control API answered at the address.
var ErrUnreachable = errors.New("no control API answers")

// Dial returns a client of the control API at an address, such as "http://127.0.0.1:8082", "127.0.0.1:8082" or what the
// server prints as control_url.
func Dial(address string) (*Client, error) {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" {
		return nil, fmt.Errorf("control address %q: must be like http://127.0.0.1:8082", address)
	}
	return &Client{
		base: "http://" + u.Host + prefix,
		http: &http.Client{Transport: &http.Transport{Proxy: nil}}, // a proxy of the environment is for other hosts
	}, nil
}

// URL is where the calls begin.
func (c *Client) URL() string { return c.base }

// Close ends the connections that are idle.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Call makes a call. A path follows the prefix, for example "clock"; its segments must be escaped. A body of nil is
// none. The answer is read into what answer points to, unless that is nil. A refusal is an *Error.
func (c *Client) Call(ctx context.Context, method, path string, body, answer any) error {
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			return err
		}
	}
	response, err := c.do(ctx, method, path, raw)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	got, err := io.ReadAll(io.LimitReader(response.Body, mostAll))
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if response.StatusCode != http.StatusOK {
		return c.refused(response.StatusCode, got)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(got, answer)
}

// Pages makes the calls of a list and calls each with every element, in order.
func (c *Client) Pages(ctx context.Context, path string, each func(json.RawMessage) error) error {
	join := "?"
	if strings.Contains(path, "?") {
		join = "&"
	}
	after := ""
	for {
		var page struct {
			Items []json.RawMessage `json:"items"`
			Next  *string           `json:"next"`
		}
		if err := c.Call(ctx, http.MethodGet, path+join+"limit=200"+after, nil, &page); err != nil {
			return err
		}
		for _, item := range page.Items {
			if err := each(item); err != nil {
				return err
			}
		}
		if page.Next == nil {
			return nil
		}
		after = "&after=" + url.QueryEscape(*page.Next)
	}
}

func (c *Client) do(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, reader)
	if err != nil {
		return nil, err
	}
	if c.Shell != "" {
		r.Header.Set(shellHeader, c.Shell)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	response, err := c.http.Do(r)
	if cause := ctx.Err(); cause != nil {
		if err == nil {
			response.Body.Close()
		}
		return nil, cause
	}
	if err != nil {
		return nil, fmt.Errorf("%w at %s: %w", ErrUnreachable, c.base, err)
	}
	return response, nil
}

// refused is the error of an answer that is none of 200.
func (c *Client) refused(status int, body []byte) error {
	e := &Refusal{Status: status}
	if json.Unmarshal(body, e) != nil || e.Message == "" {
		return fmt.Errorf("%w at %s: something else answers with status %d", ErrUnreachable, c.base, status)
	}
	e.Hint = cmp.Or(e.Hint, e.Rule)
	return e
}
