package webhook

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// FuzzVerify: a signature passes exactly if it decodes to the code of the body.
func FuzzVerify(f *testing.F) {
	f.Add("secret", Sign("secret", []byte(paidBody)), []byte(paidBody))
	f.Add("secret", strings.ToUpper(Sign("secret", nil)), []byte{})
	f.Add("", Sign("", []byte(paidBody)), []byte(paidBody))
	f.Add("secret", strings.Repeat("0", 64), []byte(paidBody))
	f.Fuzz(func(t *testing.T, secret, signature string, body []byte) {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(body)
		code := mac.Sum(nil)
		given, err := hex.DecodeString(signature)
		want := err == nil && bytes.Equal(given, code) && secret != ""
		v := newVerifier([]client.Secret{client.Secret(secret), "another"})
		if got := v.accepts([]string{signature}, body); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
		if got := v.accepts([]string{hex.EncodeToString(code)}, body); got != (secret != "") {
			t.Errorf("true signature: got %v", got)
		}
	})
}

// FuzzDecode: whatever is read as a delivery has the store and the event that
// another reader finds in the members of exactly these names.
func FuzzDecode(f *testing.F) {
	for _, c := range wireCases() {
		f.Add([]byte(c.body))
	}
	for _, s := range []string{`{"store_id":1.0,"event":"a"}`,
		`{"store_id":1,"STORE_ID":2,"event":"order/paid","id":1}`, `{"store_id":1,"store_id":2}`, `[`, ``} {
		f.Add([]byte(s))
	}
	read := newReader("").read
	f.Fuzz(func(t *testing.T, raw []byte) {
		m := read(raw, time.Time{})
		if m.key == (key{}) || !bytes.Equal(m.raw, raw) {
			t.Error("a message without key or body")
		}
		if m.flaw != nil {
			if m.payload != nil {
				t.Errorf("payload of a malformed body: %v", m.flaw)
			}
			return
		}
		members := map[string]json.RawMessage{} // the exact names, without folding case
		if err := json.Unmarshal(raw, &members); err != nil {
			t.Fatalf("not JSON to another reader: %v", err)
		}
		store := strings.Trim(string(members["store_id"]), `"`)
		if digits := strings.TrimLeft(store, "0"); m.store <= 0 || digits != fmt.Sprint(int64(m.store)) {
			t.Errorf("got store %d, another reader %s", m.store, store)
		}
		var event string
		if err := json.Unmarshal(members["event"], &event); err != nil || event == "" || event != string(m.event) {
			t.Errorf("got event %q, another reader %q (%v)", m.event, event, err)
		}
		if again := read(raw, time.Time{}); again.key != m.key {
			t.Error("two keys for one body")
		}
		var other Entity
		failed := wire.Unmarshal(raw, &other)
		delete(other.Extra, "store_id")
		delete(other.Extra, "event")
		if len(other.Extra) == 0 {
			other.Extra = nil
		}
		if e, ok := m.payload.(*Entity); ok && (failed != nil || !reflect.DeepEqual(*e, other)) {
			t.Errorf("from the members %+v, from the JSON %+v", e, other)
		}
	})
}
