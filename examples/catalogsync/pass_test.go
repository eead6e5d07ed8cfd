package main

import (
	"context"
	"iter"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// A page that was read before a change is written before the webhook of that change is handled, not after.
func TestReadingsDoNotOverlap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, err := openMirror(t.Context(), filepath.Join(t.TempDir(), "mirror.db"))
		if err != nil {
			t.Fatal(err)
		}
		answer := make(chan struct{})
		r := resource{
			name: "products",
			records: func(context.Context, query) iter.Seq2[record, error] {
				return func(yield func(record, error) bool) {
					<-answer
					yield(record{id: 7, document: `{"state":"old"}`}, nil)
				}
			},
			get: func(context.Context, client.ID) (record, error) {
				return record{id: 7, document: `{"state":"new"}`}, nil
			},
		}
		s := &session{o: options{perPage: 10}, t: newTranscript(t.Output()), mirror: m, reading: make(chan struct{}, 1)}
		go func() {
			if err := s.read(t.Context(), r, &pass{phase: crawling}, func(int) {}); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		go func() {
			if _, err := s.reread(t.Context(), r, 7); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		close(answer)
		synctest.Wait()
		if same, err := m.has(t.Context(), "products", record{id: 7, document: `{"state":"new"}`}); !same || err != nil {
			t.Errorf("the mirror has not got the new state: %v", err)
		}
		if err := m.close(); err != nil {
			t.Error(err)
		}
	})
}

// The records of a page and the cursor behind it are written together or not at all.
func TestTransaction(t *testing.T) {
	tests := []struct{ name, trigger string }{
		{"no record", "BEFORE INSERT ON products WHEN new.document LIKE '%Lamp 12%'"},
		{"no cursor", "BEFORE INSERT ON sync WHEN new.cursor > (SELECT id FROM products WHERE document LIKE '%Chair 13%')"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := startPlatform(t, clienttest.Options{})
			shop := p.fill(t, 25, 0)
			m, err := openMirror(t.Context(), p.db)
			if err != nil {
				t.Fatal(err)
			}
			_, err = m.db.ExecContext(t.Context(), "CREATE TRIGGER refuse "+tt.trigger+" BEGIN SELECT RAISE(ABORT, 'refused'); END")
			if err != nil {
				t.Fatal(err)
			}
			play(t, p.env).check(t, exitFailed, "refused")
			if got, want := p.query(t, "SELECT cursor || ' ' || count(products.id) FROM sync, products"), shop.products[9].String()+" 10"; got != want {
				t.Errorf("got cursor and records %s, want %s", got, want)
			}
			if _, err := m.db.ExecContext(t.Context(), "DROP TRIGGER refuse"); err != nil {
				t.Error(err)
			}
			if err := m.close(); err != nil {
				t.Error(err)
			}
			play(t, p.env).check(t, exitEqual, "products: the crawl goes on behind id "+shop.products[9].String())
			p.equal(t)
		})
	}
}
