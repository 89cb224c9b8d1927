.PHONY: demo test down

demo: ; @e2e/demo
test: ; @e2e/test
down: ; @e2e/cluster/cluster down
