package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// mcpVersion is the version of the protocol whose messages are written. Tools are the same in the others.
const mcpVersion = "2025-06-18"

func mcpCommand() command {
	return command{
		name: "mcp", does: "serves the acts of the platform and the contract to a coding agent",
		lesson: `It speaks the Model Context Protocol on standard input and output. The agent can then send carts, purchases and webhooks to
your program, read how the platform takes the answers, and look up rules in the contract. Start a server first, for example
"refserver serve --demo --control 127.0.0.1:8082", and configure this command in your agent. Each act of "refserver do" is
a tool with the same arguments. A tool that is called without a store uses that of --store.

    refserver mcp < /dev/null`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error {
			return func(ctx context.Context, e *env) error { return serveMCP(ctx, e, os.Stdin) }
		},
	}
}

// message is a request of the agent, or a notification, which has no id.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// response is the answer to a request.
type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

// rpcError is the refusal of a request by the protocol. A refusal of the platform is the result of a tool.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *rpcError) Error() string { return e.Message }

// The codes of JSON-RPC.
const (
	badJSON   = -32700
	noMethod  = -32601
	badParams = -32602
)

// serveMCP answers a message on each line, until the input ends.
func serveMCP(ctx context.Context, e *env, in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var m message
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			if err := e.respond(json.RawMessage("null"), nil, &rpcError{badJSON, "not a message: " + err.Error()}); err != nil {
				return err
			}
			continue
		}
		if m.ID == nil {
			continue // a notification
		}
		result, err := e.answer(ctx, m)
		if err := e.respond(m.ID, result, err); err != nil {
			return err
		}
	}
	return lines.Err()
}

// respond writes the answer to a request.
func (e *env) respond(id json.RawMessage, result any, err error) error {
	r := response{Version: "2.0", ID: id, Result: result}
	if err != nil {
		r.Result = nil
		if !errors.As(err, &r.Error) {
			r.Error = &rpcError{badParams, err.Error()}
		}
	}
	raw, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return e.line(raw)
}

// answer returns the result of a request.
func (e *env) answer(ctx context.Context, m message) (any, error) {
	switch m.Method {
	case "initialize":
		return map[string]any{
			"protocolVersion": mcpVersion, "capabilities": map[string]any{"tools": map[string]any{}, "resources": map[string]any{}},
			"serverInfo": map[string]any{"name": "refserver", "version": "0.1.0"},
			"instructions": "A commerce platform in memory. The tools act as its customers, merchants and operators, and call the " +
				"program under test. carts_add puts a product into a cart, which then goes to the app. info has the token of the " +
				"demo app. The resources are the contract.",
		}, nil
	case "ping":
		return map[string]any{}, nil
	case "tools/list":
		return map[string]any{"tools": tools()}, nil
	case "tools/call":
		return e.callTool(ctx, m.Params)
	case "resources/list":
		return listResources()
	case "resources/read":
		return readResource(m.Params)
	}
	return nil, &rpcError{noMethod, fmt.Sprintf("there is no method %.100q", m.Method)}
}
