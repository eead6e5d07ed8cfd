package journaltest

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
	"github.com/commerceplatform/commerce-go/client/v1"
)

// Role is the role of the children of these tests.
const Role = "journal"

// Variables of a child.
const (
	envDo       = "JOURNAL_DO"
	envDatabase = "JOURNAL_DATABASE"
	envURL      = "JOURNAL_URL"
	envStore    = "JOURNAL_STORE"
	envToken    = "JOURNAL_TOKEN"
	envSteps    = "JOURNAL_STEPS" // where stories end, each a word; empty is none
)

func (w *world) env(do string, more ...string) []string {
	return append(more, envDo+"="+do, envDatabase+"="+w.address)
}

// Child returns what a child does in Role.
func Child(connect func(address string) (*sql.DB, error)) func() error {
	return func() error {
		journals := make([]*sqljournal.Journal[client.Category], 2)
		for n := range journals {
			db, err := connect(os.Getenv(envDatabase))
			if err != nil {
				return err
			}
			journals[n] = &sqljournal.Journal[client.Category]{DB: db, Name: "imports"}
		}
		ctx := context.Background()
		if os.Getenv(envDo) == "begin" {
			fmt.Println("ready")
			for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
				fmt.Println(beginMany(ctx, journals, lines.Text()))
			}
			return nil
		}
		if os.Getenv(envDo) == "pause" {
			return pause(ctx, journals[0].DB)
		}
		return work(ctx, journals[0].DB, strings.Split(os.Getenv(envSteps), ","))
	}
}

// newAPI returns a client for one story: they do not wait for each other's requests.
func newAPI() (*v1.API, error) {
	store, err := client.ParseID(os.Getenv(envStore))
	if err != nil {
		return nil, err
	}
	c, err := client.New(client.Config{
		BaseURL: os.Getenv(envURL), StoreID: store, UserAgent: "Tests (tests@app.example)",
		Token: client.StaticToken(client.Secret(os.Getenv(envToken))),
	})
	if err != nil {
		return nil, err
	}
	return v1.New(c), nil
}

// story is the create of one category, which ends at a step as its process does: it goes no further.
type story struct {
	*sqljournal.Journal[client.Category]
	api     *v1.API
	key     string
	step    string // where it ends, empty for nowhere
	settled func(string)
	holds   bool
}

func (s *story) at(step string) {
	if s.step == step {
		s.settled("at " + step)
		select {} // until the process is killed
	}
}

func (s *story) Begin(ctx context.Context, in client.Intent) error {
	s.at("beginning")
	err := s.Journal.Begin(ctx, in)
	if err == nil {
		s.at("begun")
	}
	return err
}

func (s *story) Hold(ctx context.Context, in client.Intent, begun bool) (context.Context, func(), error) {
	held, release, err := s.Journal.Hold(ctx, in, begun)
	if err == nil {
		s.holds = true
		s.at("held")
	}
	return held, release, err
}

func (s *story) End(ctx context.Context, in client.Intent, made *client.Category) error {
	s.at("ending")
	err := s.Journal.End(ctx, in, made)
	if err == nil {
		s.at("ended")
	}
	return err
}

func (s *story) onEnd(ctx context.Context, tx *sql.Tx, in client.Intent, made *client.Category) error {
	s.at("journal")
	if made == nil {
		return nil
	}
	_, err := tx.ExecContext(ctx, appRow, in.Key, made.ID.String())
	s.at("row")
	return err
}

func (s *story) once() client.Once[client.Category] {
	return client.Once[client.Category]{
		Journal: s,
		Among: func(since time.Time) client.List[client.Category] {
			if s.holds {
				s.at("looking")
			}
			return s.api.Categories.List(client.CategoryFilter{Window: client.Window{CreatedMin: since}})
		},
		Match: func(c *client.Category, key string) bool { return c.Name.Get("en") == key },
	}
}

func (s *story) create(ctx context.Context) (*client.Category, error) {
	s.at("sending")
	c, err := s.api.Categories.Create(ctx, client.CategoryInput{Name: client.Text{"en": s.key}})
	s.at("answered")
	return c, err
}

// run is what an app does about a key, whatever was done about it before.
func (s *story) run(ctx context.Context) (id string, err error) {
	made, err := s.once().Create(ctx, s.key, s.create)
	if taken, ok := errors.AsType[*sqljournal.TakenError](err); ok {
		if !taken.Open {
			return taken.Record, nil
		}
		made, err = s.once().Resume(ctx, taken.Intent, s.create)
	}
	if err != nil {
		return "", err
	}
	return made.ID.String(), nil
}

// work runs a story for each step, and prints a line when one has ended or can go no further.
func work(ctx context.Context, db *sql.DB, steps []string) error {
	for n, step := range steps {
		api, err := newAPI()
		if err != nil {
			return err
		}
		s := &story{api: api, key: fmt.Sprintf("Category %02d", n), step: step}
		s.Journal = &sqljournal.Journal[client.Category]{DB: db, Name: "imports", OnEnd: s.onEnd}
		s.settled = func(how string) { fmt.Println(s.key, how) }
		go func() {
			id, err := s.run(ctx)
			switch {
			case errors.Is(err, client.ErrOutcomeUnknown):
				s.settled("open")
			case err != nil:
				s.settled("error: " + oneLine(err))
			default:
				s.settled("done " + id)
			}
		}()
	}
	select {} // until the process is killed
}

// pause works on a category that is not sent before its context ends.
func pause(ctx context.Context, db *sql.DB) error {
	api, err := newAPI()
	if err != nil {
		return err
	}
	j := &sqljournal.Journal[client.Category]{DB: db, Name: "imports", Term: 10 * time.Second}
	s := &story{api: api, key: "Paused", Journal: j}
	_, err = s.once().Create(ctx, s.key, func(ctx context.Context) (*client.Category, error) {
		fmt.Println("sending")
		<-ctx.Done()
		return nil, context.Cause(ctx)
	})
	fmt.Println(oneLine(err))
	select {} // until the process is killed
}

func oneLine(err error) string { return strings.ReplaceAll(fmt.Sprint(err), "\n", " ") }
