package sqlstoretest

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

const (
	role     = "tokens"
	variable = "TOKENS_ADDRESS"
	children = 4
	each     = 8 // calls of a child at a time
)

// Child is what the role "tokens" does: it serves commands that a test writes to it, and answers each with a line.
func Child(connect func(address string) (*sql.DB, error)) error {
	db, err := connect(os.Getenv(variable))
	if err != nil {
		return err
	}
	s := &sqlstore.Store{DB: db, Keys: []sqlstore.Key{key(1)}}
	ctx := context.Background()
	if err := s.Check(ctx); err != nil {
		return err
	}
	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		act, text, _ := strings.Cut(lines.Text(), " ")
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return err
		}
		if act == "chain" {
			return chain(ctx, s, n)
		}
		won, err := race(ctx, s, act, n)
		if err != nil {
			return err
		}
		fmt.Println(won)
	}
	return nil
}

// generation returns another one for each call of any process.
func generation() int64 {
	var b [8]byte
	_, _ = rand.Read(b[:])
	return int64(binary.BigEndian.Uint64(b[:])>>1) | 1
}

// race does an act several times at once, and returns how often it was done.
func race(ctx context.Context, s *sqlstore.Store, act string, n int64) (int64, error) {
	var won atomic.Int64
	var mu sync.Mutex
	var failed error
	var all sync.WaitGroup
	id := client.ID(n)
	for range each {
		all.Go(func() {
			var ok bool
			var err error
			switch act {
			case "insert":
				ok, err = s.Swap(ctx, id, 0, made(id, generation()))
			case "replace":
				ok, err = s.Swap(ctx, id, 5, made(id, generation()))
			case "delete":
				ok, err = s.Swap(ctx, id, 5, nil)
			case "take":
				_, ok, err = s.Take(ctx, fmt.Sprint(n))
			default:
				err = fmt.Errorf("no act %q", act)
			}
			if ok {
				won.Add(1)
			}
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, err)
		})
	}
	all.Wait()
	return won.Load(), failed
}

// chain replaces the install of a store for ever, and prints each generation after it was stored. Its first swap may
// meet the last one of a process that was killed: a server still runs a statement that it has received.
func chain(ctx context.Context, s *sqlstore.Store, n int64) error {
	id := client.ID(n)
	in, err := s.Load(ctx, id)
	if err != nil {
		return err
	}
	for at, met := in.Generation, false; ; at++ {
		ok, err := s.Swap(ctx, id, at, made(id, at+1))
		if err != nil || !ok && met {
			return fmt.Errorf("swap from %d: %v, %w", at, ok, err)
		}
		if met = true; ok {
			fmt.Println(at + 1)
		}
	}
}

// processes has 32 calls of four processes race for one record.
func processes(t *testing.T, d Database) {
	address := d.New(t)
	s := &sqlstore.Store{DB: d.opened(t, address), Keys: []sqlstore.Key{key(1)}}
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	var all [children]*proctest.Process
	for i := range all {
		all[i] = proctest.Start(t, role, variable+"="+address)
	}
	for _, c := range all {
		if got := c.Line(t); got != "ready" {
			t.Fatalf("got %q, want ready", got)
		}
		defer c.Kill(t)
	}
	for n := range int64(5) {
		for _, act := range []string{"insert", "replace", "delete", "take"} {
			id := client.ID(n + 1)
			switch act {
			case "replace", "delete":
				exec(t, s, "DELETE FROM commerce_install")
				swap(t, s, id, 0, made(id, 5))
			case "take":
				if err := s.Put(t.Context(), id.String(), oauth.Pending{Expires: time.Now().Add(time.Hour)}); err != nil {
					t.Fatal(err)
				}
			}
			for _, c := range all {
				c.Say(t, act+" "+id.String())
			}
			total := 0
			for _, c := range all {
				won, err := strconv.Atoi(c.Line(t))
				if err != nil {
					t.Fatal(err)
				}
				total += won
			}
			if total != 1 {
				t.Errorf("%s number %d: %d of %d calls of %d processes won, want 1", act, n, total, children*each, children)
			}
			in, err := s.Load(t.Context(), id)
			switch {
			case act == "insert" || act == "replace":
				if err != nil || in.Token != token(id, in.Generation) || in.Generation == 5 {
					t.Errorf("%s number %d: then got %+v, %v; want the winner's", act, n, in, err)
				}
			case !errors.Is(err, oauth.ErrNotInstalled):
				t.Errorf("%s number %d: then got %+v, %v; want ErrNotInstalled", act, n, in, err)
			}
		}
	}
}

// killed kills processes (kill -9) in the middle of their swaps. Each swap that they have reported is stored, whole.
// The swap that a process was killed in may be applied at any time after that, so two reads need not agree.
func killed(t *testing.T, d Database) {
	address := d.New(t)
	s := &sqlstore.Store{DB: d.opened(t, address), Keys: []sqlstore.Key{key(1)}}
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	swap(t, s, 7, 0, made(7, 1))
	at := int64(1)
	for round := range 6 {
		c := proctest.Start(t, role, variable+"="+address)
		c.Line(t)
		c.Say(t, "chain 7")
		for range 3 + 7*round {
			var err error
			if at, err = strconv.ParseInt(c.Line(t), 10, 64); err != nil {
				t.Fatal(err)
			}
		}
		c.Kill(t)
		in, err := s.Load(t.Context(), 7)
		if err != nil || in.Generation < at {
			t.Fatalf("round %d: got %+v, %v; want generation %d, which was reported, or a later one", round, in, err, at)
		}
		if in.Token != token(7, in.Generation) {
			t.Fatalf("round %d: generation %d has the token of another one", round, in.Generation)
		}
	}
}

// stolen looks for tokens in what a thief of the disk has.
func stolen(t *testing.T, d Database) {
	address := d.New(t)
	s := &sqlstore.Store{DB: d.opened(t, address), Keys: []sqlstore.Key{key(1)}}
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	const marked = "scope_that_is_no_secret"
	secrets := []string{}
	const first = client.ID(9_000_000) // tokens of no other test
	for id := first; id < first+20; id++ {
		in := made(id, 5)
		in.Scopes = oauth.ParseScopes(marked)
		swap(t, s, id, 0, in)
		swap(t, s, id, 5, made(id, 6))
		swap(t, s, id, 6, in)
		secrets = append(secrets, string(token(id, 5)), string(token(id, 6)))
	}
	loads(t, with(s, key(2), key(1)), first+3, 5)
	if _, err := s.Swap(t.Context(), first+4, 5, nil); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, data := range d.Files(t, address) {
		found = found || bytes.Contains(data, []byte(marked))
		for _, secret := range secrets {
			raw := []byte(secret)
			encoded := base64.RawStdEncoding.EncodeToString(raw[:len(raw)/3*3])
			for _, spelled := range []string{secret, hex.EncodeToString(raw), encoded} {
				if bytes.Contains(data, []byte(spelled)) {
					t.Fatalf("the files hold the token %q", secret)
				}
			}
		}
	}
	if !found {
		t.Error("the files do not hold a text that was stored: they are not those of the database")
	}
}
