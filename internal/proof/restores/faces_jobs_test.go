package restores

import (
	"context"
	"errors"

	"github.com/commerceplatform/commerce-go/client/sqljobs"
)

// newJobs returns a queue, and has the world outside count how often each item is run.
func newJobs(a *app) *sqljobs.Queue {
	return &sqljobs.Queue{DB: a.db, Name: "bulk", Do: func(_ context.Context, b *sqljobs.Batch) error {
		for _, item := range b.Items {
			a.ran[item.Key]++
		}
		return nil
	}}
}

// jobIs returns an error unless a job has items, of which some are done.
func jobIs(a *app, job string, total, done int) error {
	p, _, err := a.jobs.Progress(a, 7, job)
	return errors.Join(err, has("items of "+job, p.Total, total), has("done of "+job, p.Done, done))
}

func addJob(a *app, job, item string) error { return a.jobs.Add(a, 7, job, sqljobs.Item{Key: item}) }

func jobsBefore(a *app) error {
	return errors.Join(addJob(a, "early", "a"), a.jobs.RunOnce(a), addJob(a, "early", "b"), jobIs(a, "early", 2, 1))
}

func jobsAfter(a *app) error {
	return errors.Join(a.jobs.RunOnce(a), jobIs(a, "early", 2, 2), addJob(a, "later", "c"))
}

// An item that was done since is run again, and a job that was added since is missing.
func jobsRestored(a *app) error {
	return errors.Join(jobIs(a, "early", 2, 1), jobIs(a, "later", 0, 0), a.jobs.RunOnce(a), jobIs(a, "early", 2, 2),
		has("runs of a", a.ran["a"], 1), has("runs of b", a.ran["b"], 2),
		addJob(a, "later", "c"), a.jobs.RunOnce(a), jobIs(a, "later", 1, 1))
}

func jobsCopied(a *app) error {
	return errors.Join(jobIs(a, "early", 2, 2), jobIs(a, "later", 1, 0), a.jobs.RunOnce(a), jobIs(a, "later", 1, 1),
		has("runs of b", a.ran["b"], 1), has("runs of c", a.ran["c"], 1))
}
