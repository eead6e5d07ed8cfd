package otelcommerce

import (
	"slices"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// series holds the attributes of a metric as options for its methods.
type series struct {
	record []metric.RecordOption
	add    []metric.AddOption
}

func newSeries(attributes []attribute.KeyValue) *series {
	option := metric.WithAttributeSet(attribute.NewSet(slices.Clone(attributes)...)) // NewSet sorts in place
	return &series{[]metric.RecordOption{option}, []metric.AddOption{option}}
}

// seriesBy caches series by a key, because sorting attributes takes longer than recording. K must have few values.
type seriesBy[K comparable] struct {
	attributes func(K) []attribute.KeyValue
	mu         sync.RWMutex
	all        map[K]*series
}

func newSeriesBy[K comparable](attributes func(K) []attribute.KeyValue) *seriesBy[K] {
	return &seriesBy[K]{attributes: attributes, all: map[K]*series{}}
}

func (s *seriesBy[K]) of(key K) *series {
	s.mu.RLock()
	one, ok := s.all[key]
	s.mu.RUnlock()
	if ok {
		return one
	}
	one = newSeries(s.attributes(key))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[key] = one
	return one
}
