// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @dev A smart account that can be switched between accepting and rejecting signatures.
contract FickleWallet is IERC1271 {
    bool public willing = true;

    function switchAnswer() external {
        willing = !willing;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        return willing ? IERC1271.isValidSignature.selector : bytes4(0);
    }
}

/// @dev A smart account that uses up all the gas that it receives.
contract BurningWallet {
    fallback() external {
        assembly ("memory-safe") {
            invalid()
        }
    }
}

/// @dev A smart account that makes a call during the signature check, and accepts only if that call
/// failed.
contract MeddlingWallet {
    address private target;
    bytes private data;

    function plan(address target_, bytes calldata data_) external {
        (target, data) = (target_, data_);
    }

    function act() public returns (bool done) {
        (done,) = target.call(data);
    }

    fallback(bytes calldata) external returns (bytes memory) {
        return abi.encode(act() ? bytes4(0) : IERC1271.isValidSignature.selector);
    }
}
