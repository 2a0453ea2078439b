//go:build tuned

package main

import (
	"encoding/json"
	"fmt"
	"os"
)

// Programs that are built for tests, with the tag tuned, read other values from TASKMARKET_TUNING.
func init() {
	settingNames["TUNING"] = true
	if text := os.Getenv(prefix + "TUNING"); text != "" {
		if err := json.Unmarshal([]byte(text), &tuned); err != nil {
			panic(fmt.Sprintf("parse %sTUNING: %v", prefix, err))
		}
	}
}
