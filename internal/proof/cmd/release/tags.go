package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// main branch.
const trunk = "main"

// tagNames returns the tag of each published module.
func (r *release) tagNames() (all []string) {
	for _, m := range r.published() {
		all = append(all, m.tag(r.version))
	}
	return all
}

// checkTree reports changes that are not committed, and a commit that is not on the main branch.
func (r *release) checkTree(ctx context.Context) error {
	status, err := r.git(ctx, "status", "--porcelain")
	if err != nil {
		return err
	}
	for line := range strings.Lines(status) {
		r.report("git", strings.TrimSpace(line), "the tree must be clean", "commit or remove the file")
	}
	branch, err := r.git(ctx, "rev-parse", "--abbrev-ref", "HEAD")
	if err != nil {
		return err
	}
	branch = strings.TrimSpace(branch)
	switch {
	case !r.tagged && branch != trunk:
		r.report("git", "branch "+branch, "a release must be on branch "+trunk, "git switch "+trunk)
	case r.tagged:
		for _, of := range []string{"origin/" + trunk, trunk} {
			if _, err := r.git(ctx, "merge-base", "--is-ancestor", "HEAD", of); err == nil {
				return nil
			}
		}
		r.report("git", "HEAD", "the commit of the tags must be in branch "+trunk, "push "+trunk+" first")
	}
	return nil
}

// checkTags reports tags of the version that exist; if they must exist, missing tags and tags that point elsewhere.
func (r *release) checkTags(ctx context.Context) error {
	head, err := r.git(ctx, "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	for _, tag := range r.tagNames() {
		exists := slices.Contains(r.tags, tag)
		switch {
		case exists && !r.tagged:
			r.report("git", "tag "+tag, "must not exist, because the Go module proxy keeps each version permanently", "choose the next version")
		case !exists && r.tagged:
			r.report("git", "tag "+tag, "missing: all modules are released at once", "git push --atomic origin "+strings.Join(r.tagNames(), " "))
		case exists:
			at, err := r.git(ctx, "rev-parse", tag+"^{commit}")
			if err != nil {
				return err
			}
			if at != head {
				r.report("git", "tag "+tag+" at "+strings.TrimSpace(at), "must point to the commit of the release, "+strings.TrimSpace(head), "release the next version")
			}
		}
	}
	return nil
}

// tag creates the tags, all or none.
func (r *release) tag(ctx context.Context, out io.Writer) error {
	var created []string
	for _, tag := range r.tagNames() {
		if _, err := r.git(ctx, "tag", "--annotate", "--message", tag, tag); err != nil {
			if len(created) > 0 {
				_, undo := r.git(ctx, append([]string{"tag", "--delete"}, created...)...)
				err = errors.Join(err, undo)
			}
			return err
		}
		created = append(created, tag)
	}
	fmt.Fprintf(out, "Created %s. Publish them at once:\n\n\t%s\n", strings.Join(created, ", "), r.push())
	return nil
}

// explain prints the commands that create the tags.
func (r *release) explain(out io.Writer) {
	fmt.Fprintf(out, "%s can be released. Nothing was changed. Create the tags with -tag, or with\n\n", r.version)
	for _, tag := range r.tagNames() {
		fmt.Fprintf(out, "\tgit tag --annotate --message %s %s\n", tag, tag)
	}
	fmt.Fprintf(out, "\nThen publish them at once:\n\n\t%s\n\nThis publishes\n\n", r.push())
	for _, m := range r.published() {
		fmt.Fprintf(out, "module   %s@%s\n", m.file.Module.Path, r.version)
	}
}

func (r *release) push() string {
	return "git push --atomic origin " + trunk + " " + strings.Join(r.tagNames(), " ")
}
