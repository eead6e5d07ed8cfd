package contract

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi"
	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client/contract"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// folder is a copy of the files.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, contract.Files); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestDocumentsAreOpenAPI has a library read both documents, with every reference.
func TestDocumentsAreOpenAPI(t *testing.T) {
	for name, least := range map[string]int{"openapi.json": 120, "callbacks.json": 60} {
		data, err := contract.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := libopenapi.NewDocument(data)
		if err != nil {
			t.Fatal(err)
		}
		model, err := doc.BuildV3Model()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		count := 0
		if p := model.Model.Paths; p != nil {
			count += p.PathItems.Len()
		}
		if w := model.Model.Webhooks; w != nil {
			count += w.Len()
		}
		if count < least {
			t.Errorf("%s has %d paths and webhooks, want at least %d", name, count, least)
		}
	}
}

// TestExamplesAreValid compares the documents of testdata/wire, and the bodies of calls, with their schemas.
func TestExamplesAreValid(t *testing.T) {
	c, err := New()
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	for name, of := range c.api["components"].(map[string]any)["schemas"].(map[string]any) {
		all, _ := of.(map[string]any)["examples"].([]any)
		for _, one := range all {
			examples++
			compiled, err := c.compiler.Compile("mem:///openapi.json#/components/schemas/" + name)
			if err != nil {
				t.Fatal(err)
			}
			if err := compiled.Validate(one); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	wire, err := filepath.Glob("../../../testdata/wire/*.json")
	if err != nil || examples < len(wire)-6 {
		t.Errorf("%d examples of %d documents, %v", examples, len(wire), err)
	}
	bodies, err := fs.Glob(contract.Files, "examples/*.json")
	if err != nil || len(bodies) < 15 {
		t.Fatalf("%d bodies, %v", len(bodies), err)
	}
	for _, path := range bodies {
		body, err := contract.Files.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Call(strings.TrimSuffix(filepath.Base(path), ".json"), "POST", body, 299, nil); err != nil &&
			!strings.Contains(err.Error(), "status 299") {
			t.Error(err)
		}
	}
}

// TestSchemasRefuse names what is wrong with bodies and answers.
func TestSchemasRefuse(t *testing.T) {
	c, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ call, answer, wrong string }{
		{"cart", `{"commands":[]}`, ""},
		{"cart", `{"commands":[{"command":"remove_discount","specs":{"promotion_ids":["a"]}}]}`, "scope"},
		{"cart", `{"commands":[{"command":"create_or_update_discount","specs":{"promotion_id":"a","currency":"ARS",` +
			`"discount_specs":{"type":"fixed","amount":"10"}}}]}`, "amount"},
		{"rates", `{"rates":[{"code":"a","name":"n","price":1,"currency":"ARS","type":"pickup"}]}`, "hours"},
		{"rates", `{"rates":[{"code":"a","name":"n","price":"1","currency":"ARS","type":"ship"}]}`, "price"},
		{"rates", `{"rates":[{"code":"a","name":"n","price":1,"currency":"ARS","type":"ship","prize":1}]}`, "prize"},
		{"payments_refresh", `{"access_token":"a","refresh_token":"r","expires_in":0}`, "expires_in"},
	} {
		err := c.Call(tt.call, "POST", nil, 200, []byte(tt.answer))
		if (err == nil) != (tt.wrong == "") || err != nil && !strings.Contains(err.Error(), tt.wrong) {
			t.Errorf("%s %s: got %v, want %q", tt.call, tt.answer, err, tt.wrong)
		}
	}
}

// TestVectors has the programs in Node and Python verify the vectors, and refuse files with one wrong vector.
func TestVectors(t *testing.T) {
	has(t, "node", "python3")
	for _, program := range [][]string{{"node", "verify.mjs"}, {"python3", "verify.py"}} {
		dir := folder(t)
		run := func() (string, error) {
			cmd := exec.Command(program[0], program[1])
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			return string(out), err
		}
		if out, err := run(); err != nil || out != "23 vectors\n" {
			t.Errorf("%s: %v\n%s", program, err, out)
		}
		path := filepath.Join(dir, "vectors.json")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var vectors struct {
			Webhooks []struct{ Signature string }
			Payments struct{ Calls []struct{ Signature string } }
			Rates    []struct{ Key string }
		}
		if err := json.Unmarshal(data, &vectors); err != nil {
			t.Fatal(err)
		}
		for _, right := range []string{vectors.Webhooks[1].Signature, vectors.Payments.Calls[1].Signature, vectors.Rates[1].Key} {
			wrong := []byte(right)
			wrong[5] ^= 1
			if err := os.WriteFile(path, []byte(strings.Replace(string(data), right, string(wrong), 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := run(); err == nil {
				t.Errorf("%s accepts %s in place of %s: %s", program, wrong, right, out)
			}
		}
	}
}
