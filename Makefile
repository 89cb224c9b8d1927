.PHONY: demo test e2e nightly bench measure down

demo: ; @e2e/demo
test: ; @e2e/test
e2e: ; @e2e/suite $(SUITE)
nightly: ; @e2e/toolchain && mvn -B -ntp -f operator/pom.xml test -Dtest='*PropertyTest' -Djqwik.tries.default=10000
bench: ; @e2e/toolchain && mvn -B -ntp -q -f operator/pom.xml test-compile exec:exec@benchmarks
measure: ; @e2e/toolchain && e2e/measure/measure --build
down: ; @e2e/cluster/cluster down
