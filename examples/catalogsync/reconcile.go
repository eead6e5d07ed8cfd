package main

import (
	"context"
	"errors"
	"slices"

	"github.com/commerceplatform/commerce-go/client"
)

// reconcile reads the whole store, compares every record with the mirror, and reads again what differs. It finds what
// neither webhooks nor times of change tell: deletions, and what the platform derives from other records, such as the
// price of a kit or the name of a category in its products. It keeps no cursor: what was compared grows old.
func (s *session) reconcile(ctx context.Context, r resource) error {
	n, differ, err := s.differences(ctx, r)
	if err != nil {
		return err
	}
	removed := 0
	for _, id := range differ {
		there, err := s.reread(ctx, r, id)
		if bad := (*client.DecodeError)(nil); errors.As(err, &bad) {
			s.t.lack("%s: record %d is not mirrored: %v", r.name, id, err)
			continue
		}
		if err != nil {
			return err
		}
		if !there {
			removed++
		}
	}
	s.t.print("%s: compared %s: %d removed, %d read again", r.name, count(n, "record", "records"), removed, len(differ)-removed)
	return nil
}

// differences returns the number of records of the store, and the ids of those that the mirror lacks, has otherwise or
// should not have.
func (s *session) differences(ctx context.Context, r resource) (n int, differ []client.ID, err error) {
	here, err := s.mirror.ids(ctx, r.name)
	if err != nil {
		return 0, nil, err
	}
	for there, err := range r.records(ctx, query{perPage: client.MaxPerPage}) {
		if unreadable(err) {
			s.t.lack("%s: %v", r.name, err)
			continue
		}
		if err != nil {
			return 0, nil, err
		}
		n++
		delete(here, there.id)
		same, err := s.mirror.has(ctx, r.name, there)
		if err != nil {
			return 0, nil, err
		}
		if !same {
			differ = append(differ, there.id)
		}
	}
	for id := range here {
		differ = append(differ, id)
	}
	slices.Sort(differ)
	return n, differ, nil
}

// compare reads the whole store and tells what the mirror has otherwise.
func (s *session) compare(ctx context.Context) error {
	for _, r := range s.resources {
		n, differ, err := s.differences(ctx, r)
		if err != nil {
			return err
		}
		s.t.check(len(differ) == 0, "%s: %s of the store compared with the mirror: %d differ", r.name, count(n, "record", "records"), len(differ))
		for _, id := range differ[:min(len(differ), 10)] {
			s.t.note("  %s %d", r.name, id)
		}
	}
	return nil
}
