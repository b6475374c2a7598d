# Installs `skills` @VERSION@ for the current user of Windows:
#
#     irm @REPOSITORY@/releases/download/v@VERSION@/install.ps1 | iex
#
# The archive is verified against a digest in this file before it is unpacked.
#
# SKILLS_INSTALL_DIR  directory of the programs [default: %USERPROFILE%\.local\bin]
# SKILLS_RELEASES     base URL of the releases, for mirrors; https, or http to this machine

# One block, so that nothing runs if the download was cut off, and that the variables of the shell stay as
# they are. `exit` would end that shell.
& {
    $ErrorActionPreference = 'Stop'
    $PSNativeCommandUseErrorActionPreference = $false
    # Drawing the progress takes longer than the download in Windows PowerShell.
    $ProgressPreference = 'SilentlyContinue'
    $other = 'or use `cargo install helix-skills-cli`'
    $work = $null
    $protocols = [Net.ServicePointManager]::SecurityProtocol

    function Fail($message, $help) { throw "$message`nhelp: $help" }
    function Attempt($action, $message, $help) {
        try { & $action } catch { Fail "${message}: $($_.Exception.GetBaseException().Message)" $help }
    }

    try {
        # In a 32-bit shell, the second variable has the processor.
        $machine = $env:PROCESSOR_ARCHITECTURE
        if ($env:PROCESSOR_ARCHITEW6432) { $machine = $env:PROCESSOR_ARCHITEW6432 }
        if (-not $machine) { Fail 'this installer is for Windows' "use install.sh on Linux and macOS, $other" }
        switch ("Windows-$machine") {
@WINDOWS@
            default { Fail "there is no archive for $_" "see @REPOSITORY@/releases, $other" }
        }

        $releases = '@REPOSITORY@/releases/download'
        if ($env:SKILLS_RELEASES) { $releases = $env:SKILLS_RELEASES }
        if ($releases -notmatch '^(https://|http://(127\.0\.0\.1|localhost):)') {
            Fail "SKILLS_RELEASES is ``$releases``" 'expected an https URL'
        }
        $directory = $env:SKILLS_INSTALL_DIR
        if (-not $directory) {
            if (-not $env:USERPROFILE) { Fail 'USERPROFILE is not set' 'set SKILLS_INSTALL_DIR to a directory' }
            $directory = [IO.Path]::Combine($env:USERPROFILE, '.local', 'bin')
        } elseif ($directory -notmatch '^([a-z]:[\\/]|\\\\|/)') {
            Fail "SKILLS_INSTALL_DIR is ``$directory``" 'expected an absolute path'
        }
        # Not the first `tar` of the PATH: that of Git takes the drive of a path for a host.
        $tar = [IO.Path]::Combine("$env:SystemRoot", 'System32', 'tar.exe')
        if (-not [IO.File]::Exists($tar)) { Fail "$tar does not exist" "use Windows 10 version 1803 or newer, $other" }

        # In the directory itself, so that the programs are replaced by a rename.
        $id = [IO.Path]::Combine($directory, '.skills.' + [guid]::NewGuid())
        $work = "$id.new"
        Attempt { [void][IO.Directory]::CreateDirectory($work) } "failed to create $directory" `
            'set SKILLS_INSTALL_DIR to another directory'

        $name = "skills-v@VERSION@-$target"
        $url = "$releases/v@VERSION@/$name.tar.gz"
        $archive = [IO.Path]::Combine($work, 'archive')
        if ($protocols -ne 'SystemDefault') {
            [Net.ServicePointManager]::SecurityProtocol = $protocols -bor [Net.SecurityProtocolType]::Tls12
        }
        Attempt { Invoke-WebRequest -UseBasicParsing -TimeoutSec 60 -Uri $url -OutFile $archive } `
            "failed to fetch $url" "check the network connection, $other"
        # Windows PowerShell does not find `Get-FileHash` if PowerShell 7 started it through another program.
        $hash = [Security.Cryptography.SHA256]::Create().ComputeHash([IO.File]::ReadAllBytes($archive))
        $found = [BitConverter]::ToString($hash).Replace('-', '').ToLowerInvariant()
        if ($found -ne $digest) {
            Fail "$name.tar.gz has the digest $found instead of $digest" 'it was damaged or replaced; it was not unpacked'
        }
        Push-Location -LiteralPath $work
        try { & $tar -xzf archive "$name/skills.exe" "$name/cargo-skills.exe" } finally { Pop-Location }
        if ($LASTEXITCODE -ne 0) { Fail "$tar failed to unpack $name.tar.gz" "free some space on the disk, $other" }

        foreach ($program in 'skills', 'cargo-skills') {
            $file = [IO.Path]::Combine($directory, "$program.exe")
            $old = "$id.$program.old"
            Attempt {
                # A program that is running can be renamed, but neither replaced nor removed.
                if ([IO.File]::Exists($file)) { [IO.File]::Move($file, $old) }
                try { [IO.File]::Move([IO.Path]::Combine($work, $name, "$program.exe"), $file) } catch {
                    if ([IO.File]::Exists($old)) { [IO.File]::Move($old, $file) }
                    throw
                }
            } "failed to replace $file" 'end the programs that use it'
        }
        # What is still running is removed by a later installation.
        Get-ChildItem -LiteralPath $directory -Filter '.skills.*.old' -Force | Remove-Item -Force -ErrorAction SilentlyContinue

        Write-Host "installed $(& ([IO.Path]::Combine($directory, 'skills.exe')) --version) in $directory"
        if (($env:PATH -split [IO.Path]::PathSeparator).TrimEnd('\') -notcontains $directory.TrimEnd('\')) {
            Write-Host "help: add $directory to the PATH"
        }
    } catch {
        $Host.UI.WriteErrorLine("error: $($_.Exception.GetBaseException().Message)")
        # PowerShell prints an error of this name as one line, without its place in the script.
        throw [Management.Automation.ErrorRecord]::new(
            [Exception]::new('the installation of skills failed'), 'NativeCommandErrorMessage', 'NotSpecified', $null)
    } finally {
        [Net.ServicePointManager]::SecurityProtocol = $protocols
        if ($work) { Remove-Item -LiteralPath $work -Recurse -Force -ErrorAction SilentlyContinue }
    }
}
