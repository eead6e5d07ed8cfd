package main

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqljobs"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// renaming is the queue of bulk changes: products get another tag when the merchant has changed the tag of gifts.
func (a *app) renaming() *sqljobs.Queue {
	// README: jobs
	return &sqljobs.Queue{Name: "tags", Do: func(ctx context.Context, b *sqljobs.Batch) error {
		c, err := a.Stores.Client(ctx, b.Store)
		if err != nil {
			return err
		}
		for _, item := range b.Items {
			b.Fail(item.Key, renameTag(ctx, c, item)) // nil means that it is done
		}
		return ctx.Err()
	}}
	// end
}

// renameTag gives a product the new tag for the old one. It does nothing if an earlier batch has done so.
func renameTag(ctx context.Context, c *client.Client, item sqljobs.Item) error {
	id, err := client.ParseID(item.Key)
	if err != nil {
		return err
	}
	p, err := v202503.Products(c).Get(ctx, id, "id", "tags")
	if errors.Is(err, client.ErrNotFound) {
		return nil // the merchant has deleted it
	}
	if err != nil {
		return err
	}
	before, after, _ := strings.Cut(item.Value, ",")
	tags, has := []string{after}, false
	for _, tag := range p.TagList() {
		if has = has || tag == before; tag != before && tag != after {
			tags = append(tags, tag)
		}
	}
	if !has {
		return nil
	}
	_, err = v202503.Products(c).Update(ctx, id, client.ProductInput{Tags: client.Set(client.JoinTags(tags...))})
	return err
}

// rename adds a job for all products that have the old tag, in the transaction that stores the offer.
func (a *app) rename(ctx context.Context, tx *sql.Tx, store client.ID, before, after string) error {
	var items []sqljobs.Item
	rows, err := tx.QueryContext(ctx, "SELECT id FROM product WHERE store_id = $1 AND tags LIKE $2 ESCAPE '!'",
		store, "%,"+escapeLike.Replace(before)+",%")
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err has the error
	for rows.Next() {
		var id client.ID
		if err := rows.Scan(&id); err != nil {
			return err
		}
		items = append(items, sqljobs.Item{Key: id.String(), Value: before + "," + after})
	}
	if err := rows.Err(); err != nil {
		return err
	}
	job := time.Now().UTC().Format("2006-01-02 15:04:05.000") + " " + before + " → " + after
	return a.tags.AddTx(ctx, tx, store, job, items...)
}

// change is a bulk change on the page.
type change struct {
	client.Job
	Failures []client.JobFailure // the first ones
}

// mostChanges and mostFailures limit the page.
const mostChanges, mostFailures = 3, 10

// changes returns the latest bulk changes of a store.
func (a *app) changes(ctx context.Context, store client.ID) (all []change, err error) {
	jobs, err := a.tags.Jobs(ctx, store)
	for _, job := range jobs[:min(len(jobs), mostChanges)] {
		c := change{Job: job}
		for f, err := range a.tags.Failures(ctx, store, job.Name) {
			if err != nil {
				return nil, err
			}
			if c.Failures = append(c.Failures, f); len(c.Failures) == mostFailures {
				break
			}
		}
		all = append(all, c)
	}
	return all, err
}

// retry has the failed products of a bulk change tried again.
func (a *app) retry(w http.ResponseWriter, r *http.Request, store client.ID) error {
	r.Body = http.MaxBytesReader(w, r.Body, 4096)
	_, err := a.tags.Retry(r.Context(), store, r.PostFormValue("job"))
	if errors.Is(err, client.ErrNotFound) {
		return errNoPage
	}
	if err == nil {
		a.done(w, r, "retried")
	}
	return err
}
