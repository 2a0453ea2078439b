// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "./Vm.sol";

/// @dev Deploys a contract under test: with SHIPPED=true the one in artifacts/, else the one
/// compiled with the tests.
function deploy(string memory name, bytes memory compiled, bytes memory arguments)
    returns (address)
{
    if (!vm.envOr("SHIPPED", false)) return create(compiled, arguments);
    return create(vm.getCode(string.concat("artifacts/", name, ".json")), arguments);
}

/// @dev As `new` does it: a constructor's revert is passed on.
function create(bytes memory creationCode, bytes memory arguments) returns (address deployed) {
    bytes memory code = abi.encodePacked(creationCode, arguments);
    assembly ("memory-safe") {
        deployed := create(0, add(code, 32), mload(code))
        if iszero(deployed) {
            let reason := mload(0x40)
            returndatacopy(reason, 0, returndatasize())
            revert(reason, returndatasize())
        }
    }
}
