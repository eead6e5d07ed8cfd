package agents

import (
	"encoding/json"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// An agent lists the tools and the files of the contract, plays a cart and reads the verdict of the platform.
func TestAgent(t *testing.T) {
	program := filepath.Join(t.TempDir(), "refserver")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "github.com/commerceplatform/commerce-go/internal/cmd/refserver")
	build.Env = append(build.Environ(), "GOFLAGS="+proctest.BuildFlags())
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	platform := clienttest.New(t, clienttest.Options{Demo: true})
	control := httptest.NewServer(platform.Control())
	defer control.Close()
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1.0.0"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{
		Command: exec.CommandContext(t.Context(), program, "mcp", "--control", control.URL),
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := session.Close(); err != nil {
			t.Errorf("the command ended with %v", err)
		}
	}()
	call := func(tool string, arguments map[string]any) string {
		t.Helper()
		got, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil || got.IsError {
			t.Fatalf("%s: %v, %+v", tool, err, got)
		}
		return got.Content[0].(*mcp.TextContent).Text
	}

	tools := map[string]bool{}
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		tools[tool.Name] = true
	}
	var acts struct{ Calls []struct{ Name string } }
	if err := json.Unmarshal([]byte(call("acts", nil)), &acts); err != nil || len(acts.Calls) < 100 {
		t.Fatalf("%d acts, %v", len(acts.Calls), err)
	}
	for _, a := range acts.Calls {
		name := strings.ReplaceAll(a.Name, ".", "_")
		stream := strings.HasSuffix(name, "_follow") // of a list, which a tool reads from the parameter after
		if tools[name] == stream {
			t.Errorf("%s: a tool %v, a stream %v", a.Name, tools[name], stream)
		}
	}
	files := 0
	for file, err := range session.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		got, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: file.URI})
		if err != nil || len(got.Contents) != 1 || got.Contents[0].Text == "" {
			t.Errorf("%s: %v", file.URI, err)
		}
		files++
	}
	if files < 20 {
		t.Errorf("%d files of the contract", files)
	}

	var page struct{ Items []struct{ ID json.Number } }
	if err := json.Unmarshal([]byte(call("entities", map[string]any{"resource": "variants", "limit": 1})), &page); err != nil {
		t.Fatal(err)
	}
	var cart struct{ ID json.Number }
	if err := json.Unmarshal([]byte(call("carts_new", nil)), &cart); err != nil {
		t.Fatal(err)
	}
	in := map[string]any{"cart": cart.ID, "variant": page.Items[0].ID, "quantity": 2}
	if verdict := call("carts_add", in); !strings.Contains(verdict, `"runs"`) || !strings.Contains(verdict, `"vanished"`) {
		t.Errorf("the verdict on a cart: %s", verdict)
	}
	refused, err := session.CallTool(t.Context(), &mcp.CallToolParams{
		Name: "carts_add", Arguments: map[string]any{"cart": cart.ID, "variant": 7, "quantity": 1},
	})
	if err != nil || !refused.IsError {
		t.Fatalf("a variant that does not exist: %v, %+v", err, refused)
	}
	if why := refused.Content[0].(*mcp.TextContent).Text; !strings.Contains(why, "variant") || !strings.Contains(why, "7") {
		t.Errorf("the refusal names neither the argument nor its value: %s", why)
	}
}
