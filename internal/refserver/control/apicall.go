package control

import (
	"bytes"
	"encoding/json"
	"strings"
)

// apiCallJSON is a call of the platform's API in the name of an app.
type apiCallJSON struct {
	App int64 `json:"app"`
	// Version is the newest that has the operation, if it is empty.
	Version string `json:"version"`
	// Call is method and path below the store.
	Call string          `json:"call"`
	Body json.RawMessage `json:"body"`
}

// apiCall makes one call, and is refused as the API refuses it.
func apiCall(c *call, in apiCallJSON) (any, error) {
	method, path, ok := strings.Cut(in.Call, " ")
	if !ok || !strings.HasPrefix(path, "/") {
		return nil, wrong("call", cut(in.Call), "must be method and path below the store, such as PUT /products/1000012")
	}
	switch body := string(bytes.TrimSpace(in.Body)); {
	case body == "null", body == "{}" && (method == "GET" || method == "DELETE"):
		in.Body = nil
	}
	if in.Version == "" {
		in.Version = c.newest(method, path)
	}
	status, answer, err := c.act(recordJSON{
		Store: c.st.ID, App: in.App, Version: in.Version, Method: method, Path: path, Body: in.Body,
	})
	if err != nil {
		return nil, err
	}
	return map[string]any{"status": status, "version": in.Version, "answer": shown(answer)}, nil
}

// newest is the newest version that has the operation of a path, empty if there is no such operation.
func (c *call) newest(method, path string) string {
	path, _, _ = strings.Cut(path, "?")
	version, most := "", -1
	for _, op := range c.server.Ops() {
		if n := alike(op.Path, path); op.Method == method && n > most {
			all := op.AllVersions()
			version, most = all[len(all)-1], n
		}
	}
	return version
}

// alike is how many segments of a path are those of a template to the letter, -1 if the path is none of it.
func alike(template, path string) (n int) {
	of, got := strings.Split(template, "/"), strings.Split(path, "/")
	if len(of) != len(got) {
		return -1
	}
	for i, segment := range of {
		switch {
		case segment == got[i]:
			n++
		case !parameter.MatchString(segment):
			return -1
		}
	}
	return n
}
