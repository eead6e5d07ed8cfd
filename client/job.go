package client

import "time"

// Job is the progress of a job of the app at one moment; see package client/sqljobs. Its times are those of the
// database.
type Job struct {
	Store  ID        // whose job it is
	Name   string    // of the job
	Total  int       // items
	Done   int       // items that are done
	Failed int       // items that have failed
	Added  time.Time // when the job was added
	Began  time.Time // when its first batch began; zero if none has
	Moved  time.Time // when its last batch ended; zero if none has
	Ended  time.Time // when its last item was done or had failed; zero while items wait
	Paused bool      // by a person
}

// Waiting returns the number of items that are neither done nor have failed.
func (j Job) Waiting() int { return j.Total - j.Done - j.Failed }

// Rate returns the average of items per second that were done or have failed since the first batch, 0 if unknown.
func (j Job) Rate() float64 {
	if took := j.Moved.Sub(j.Began).Seconds(); took > 0 && !j.Began.IsZero() {
		return float64(j.Done+j.Failed) / took
	}
	return 0
}

// JobItems are the numbers of items of the jobs of a queue at one moment. Jobs that were deleted do not count.
type JobItems struct {
	Done    int // items that are done
	Failed  int // items that have failed
	Waiting int // items that are neither, of jobs that are not paused
	Paused  int // the same, of paused jobs
}

// JobFailure is an item of a Job that has failed.
type JobFailure struct {
	Key     string    // of the item
	Value   string    // of the item
	Attempt int       // the number of batches that it was in
	Reason  string    // of its last failure, at most 500 bytes
	At      time.Time // of that failure
}
