package sqlstore

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// secret returns the bytes of a key, with each byte of base64's two alphabets among them.
func secret(n byte) []byte {
	b := bytes.Repeat([]byte{0xfb, 0xff, n}, 11)
	return b[:keySize]
}

func TestParseKeys(t *testing.T) {
	one, two := secret(1), secret(2)
	ids := func(all ...[]byte) (ids string) {
		for _, b := range all {
			k, err := NewKey(b)
			if err != nil {
				t.Fatal(err)
			}
			ids += k.ID() + " "
		}
		return ids
	}
	std, url := base64.StdEncoding.EncodeToString(one), base64.RawURLEncoding.EncodeToString(one)
	for _, tt := range []struct{ list, want, err string }{
		{std, ids(one), ""},
		{url, ids(one), ""},
		{base64.URLEncoding.EncodeToString(one) + "\n", ids(one), ""},
		{hex.EncodeToString(one), ids(one), ""},
		{strings.ToUpper(hex.EncodeToString(one)), ids(one), ""},
		{std + "," + hex.EncodeToString(two), ids(one, two), ""},
		{" " + hex.EncodeToString(two) + " \n\t" + url + ", ", ids(two, one), ""},
		{"", "", "no key: must be one or more keys of 32 bytes, as printed by: openssl rand -base64 32"},
		{" , ", "", "no key"},
		{"secret", "", "key 1 has 6 characters: must be 32 bytes as 64 hexadecimal digits or base64"},
		{std + " " + std[:40], "", "key 2 has 40 characters"},
		{std + "," + url, "", "key 2 repeats key 1"},
		{hex.EncodeToString(one)[:62], "", "key 1 has 62 characters"},
		{strings.Repeat("0", 64), "", "key 1 of the list: oauth/sqlstore: key has the same byte everywhere"},
		{base64.StdEncoding.EncodeToString([]byte("this is a password of 32 letters")), "", "key is text"},
	} {
		keys, err := ParseKeys(tt.list)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("got %v, want %s", err, tt.err)
			} else if len(tt.list) > 5 && strings.Contains(err.Error(), tt.list[:6]) {
				t.Errorf("%v holds the key", err)
			}
			continue
		}
		got := ""
		for _, k := range keys {
			got += k.ID() + " "
		}
		if err != nil || got != tt.want {
			t.Errorf("%d characters: got %s, %v; want %s", len(tt.list), got, err, tt.want)
		}
	}
	if _, err := NewKey(nil); err == nil {
		t.Error("NewKey of nothing: got no error")
	}
}

func TestKeySet(t *testing.T) {
	one, _ := NewKey(secret(1))
	two, _ := NewKey(secret(2))
	var s KeySet
	if s.Current() != nil {
		t.Error("before Set: got keys")
	}
	for _, tt := range []struct {
		keys []Key
		err  string
		want int
	}{
		{nil, "no keys", 0},
		{[]Key{one, two}, "", 2},
		{[]Key{one, {}}, "key 2 is empty", 2},
		{[]Key{one, one}, "key 2 repeats key 1", 2},
		{[]Key{two}, "", 1},
	} {
		err := s.Set(tt.keys...)
		ok := err == nil && tt.err == "" || err != nil && tt.err != "" && strings.Contains(err.Error(), tt.err)
		if !ok || len(s.Current()) != tt.want {
			t.Errorf("got %v and %d keys, want %q and %d", err, len(s.Current()), tt.err, tt.want)
		}
		for i := range tt.keys {
			tt.keys[i] = Key{} // the set has its own
		}
	}
	if s.Current()[0].ID() != two.ID() {
		t.Error("the caller changed the keys in force")
	}
}

// Nothing that is printed has the bytes of a key.
func TestKeysAreNotPrinted(t *testing.T) {
	k, err := NewKey(secret(1))
	if err != nil {
		t.Fatal(err)
	}
	var set KeySet
	if err := set.Set(k); err != nil {
		t.Fatal(err)
	}
	s := &Store{Keys: []Key{k}, KeySet: &set}
	held := []any{
		k, &k, []Key{k}, []*Key{&k}, struct{ K Key }{k}, struct{ k *Key }{&k}, &set, s, []*Store{s}, ring{keys: []Key{k}},
	}
	for _, v := range held {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			got := strings.ToLower(fmt.Sprintf(verb, v))
			for _, spelled := range []string{"251 255", "fbff01", "0xfb", string(secret(1))} {
				if strings.Contains(got, spelled) {
					t.Errorf("%s of %T prints the key: %s", verb, v, got)
				}
			}
		}
	}
	if got := fmt.Sprint(k); got != "sqlstore.Key("+k.ID()+")" {
		t.Errorf("got %s", got)
	}
}

// A token opens for its store and generation with its key, and only so; it is sealed differently each time.
func TestSeal(t *testing.T) {
	one, _ := NewKey(secret(1))
	two, _ := NewKey(secret(2))
	r := ring{keys: []Key{one, two}}
	in := &oauth.Install{StoreID: 7, Generation: 5, Token: "cnry7f3a"}
	w, err := r.record(in)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := r.record(in); again.token == w.token {
		t.Error("the same token is sealed alike twice")
	}
	if got, err := r.open(w); err != nil || got.Token != in.Token || w.sealedBy != one.ID() {
		t.Errorf("got %+v, %v, sealed by %s", got, err, w.sealedBy)
	}
	if got, err := (ring{keys: []Key{two, one}}).open(w); err != nil || got.Token != in.Token {
		t.Errorf("with another newest key: got %+v, %v", got, err)
	}
	for name, change := range map[string]func(w *row){
		"store":      func(w *row) { w.storeID++ },
		"generation": func(w *row) { w.generation++ },
		"key":        func(w *row) { w.sealedBy = two.ID() },
		"no key":     func(w *row) { w.sealedBy = plaintext },
		"other key":  func(w *row) { w.sealedBy = "0000000000000000" },
		"scopes":     func(w *row) { w.scopes = "read_products" },
	} {
		changed := w
		change(&changed)
		names := fmt.Sprintf("store %d: ", changed.storeID)
		if got, err := r.open(changed); err == nil || got.Token != "" || !strings.Contains(err.Error(), names) {
			t.Errorf("%s changed: got %+v, %v; want an error that names the store", name, got, err)
		}
	}
	sealed, _ := base64.StdEncoding.DecodeString(w.token)
	for i := range sealed {
		changed, flipped := w, bytes.Clone(sealed)
		flipped[i] ^= 1
		changed.token = base64.StdEncoding.EncodeToString(flipped)
		if _, err := r.open(changed); err == nil {
			t.Errorf("byte %d changed: it opens", i)
		}
	}
	if strings.Contains(string(sealed), string(in.Token)) {
		t.Error("the sealed token holds the token")
	}
	for _, token := range []client.Secret{"", client.Secret(secret(0))} {
		in.Token = token
		w, _ := r.record(in)
		if got, err := r.open(w); err != nil || got.Token != token {
			t.Errorf("a token of %d bytes: got %d, %v", len(token), len(got.Token), err)
		}
	}
}
