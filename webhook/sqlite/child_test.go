package sqlite_test

const childVariable = "INBOX_TEST_CHILD"

func child() int { return 2 }
