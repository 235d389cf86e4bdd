// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/report/schema.h"

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "tests/support/capture.h"

namespace gpuharden::test {

using Json = nlohmann::json;

std::string violations(const Json& document, const std::string& schema_file) {
  const Json schema_document = Json::parse(read_source(schema_file));
  const bool is_draft_4 = schema_document.value("$schema", "").find("draft-04") != std::string::npos;
  valijson::Schema schema;
  valijson::SchemaParser(is_draft_4 ? valijson::SchemaParser::kDraft4 : valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_document), schema);
  valijson::ValidationResults results;
  valijson::Validator validator;
  if (validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results)) return {};
  std::string out;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    for (const auto& part : error.context) out += part;
    out += ": " + error.description + "\n";
  }
  return out;
}

}  // namespace gpuharden::test
