package control

import (
	"bytes"
	"encoding/json"
)

// apiCallJSON is a call of the platform's API in the name of an app.
type apiCallJSON struct {
	App     int64           `json:"app"`
	Version string          `json:"version"`
	Method  string          `json:"method"`
	Path    string          `json:"path"`
	Body    json.RawMessage `json:"body"`
}

// apiCall makes one call, and is refused as the API refuses it.
func apiCall(c *call, in apiCallJSON) (any, error) {
	st, err := c.store()
	if err != nil {
		return nil, err
	}
	if in.Path == "" {
		return nil, wrong("path", "", "must be below the store, such as /products/1000012")
	}
	if bytes.Equal(bytes.TrimSpace(in.Body), []byte("null")) {
		in.Body = nil
	}
	status, answer, err := c.act(recordJSON{
		Store: st.ID, App: in.App, Version: in.Version, Method: in.Method, Path: in.Path, Body: in.Body,
	})
	if err != nil {
		return nil, err
	}
	return map[string]any{"status": status, "answer": shown(answer)}, nil
}
