class Skills < Formula
  desc "Pins, fetches, locks and checks agent skills"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

@BLOCKS@

  def install
    bin.install "skills", "cargo-skills"
    bash_completion.install "completions/skills.bash" => "skills"
    fish_completion.install "completions/skills.fish"
    zsh_completion.install "completions/_skills"
  end

  test do
    assert_equal "skills #{version}\n", shell_output("#{bin}/skills --version")
  end
end
