.PHONY: setup unit it test verify e2e demo bench measure report scale docs release down

# What targets install: e2e/bin/check, docs, release and scale name what each one needs. The
# first kind cluster adds Docker, where none responds, and what makes its node image.
setup: ; @e2e/bin/toolchain shellcheck python3-fusepy libfaketime chromium npm python3 python3-venv buildah openssl && e2e/cluster/cluster tools
unit: ; @e2e/bin/check unit $(MODULE)
it: ; @e2e/bin/check it
test: ; @e2e/bin/check test
verify: ; @e2e/bin/verify $(if $(MINUTES),--minutes $(MINUTES))
e2e: ; @e2e/bin/suite $(SUITE)
demo: ; @e2e/bin/demo
bench: ; @e2e/bin/toolchain && mvn -B -ntp -q -f operator/pom.xml test-compile exec:exec@benchmarks
measure: ; @e2e/bin/toolchain && e2e/bin/measure --build
report: ; @e2e/bin/toolchain && e2e/bin/report --build $(if $(SET),--set $(SET))
scale: ; @e2e/bin/toolchain && e2e/bin/scale --build $(if $(N),--clusters $(N)) $(if $(MODE),--mode $(MODE))
docs: ; @e2e/bin/docs
release: ; @e2e/bin/release
down: ; @e2e/cluster/cluster down
