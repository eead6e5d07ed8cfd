// Package lru has Map, which keeps its pairs in the order of their last use. Caches and memories of bounded size are
// built on it.
//
// A Map does not bound itself, because the bounds differ: a number, bytes, an age, entries that are in use. Its owner
// ranges over All, which begins with the pair that was not used for longest, and removes pairs until the bounds hold:
//
//	for key := range m.All() {
//		if m.Len() <= most {
//			break
//		}
//		m.Remove(key)
//	}
//
// Every method but All takes constant time. A Map is not safe for concurrent use.
package lru
