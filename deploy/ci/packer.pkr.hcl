# Audits a machine that Packer builds before it becomes an image. The report comes back whatever the verdict is:
# the first provisioner notes the exit code, the second fetches the report, the third fails the build.
build {
  sources = var.sources

  provisioner "shell" {
    inline = [
      "code=0",
      "sudo gpuharden audit --quiet --profile ${var.profile} --report json=/tmp/gpuharden.json --report html=/tmp/gpuharden.html || code=$?",
      "sudo chmod 0644 /tmp/gpuharden.json /tmp/gpuharden.html || true",
      "echo \"$code\" > /tmp/gpuharden.exit",
    ]
  }

  provisioner "file" {
    direction   = "download"
    sources     = ["/tmp/gpuharden.json", "/tmp/gpuharden.html"]
    destination = "reports/"
  }

  provisioner "shell" {
    inline = [
      "code=$(cat /tmp/gpuharden.exit)",
      "rm -f /tmp/gpuharden.json /tmp/gpuharden.html /tmp/gpuharden.exit",
      "exit \"$code\"",
    ]
  }
}

variable "sources" {
  type    = list(string)
  default = []
}

variable "profile" {
  type    = string
  default = "server"
}
